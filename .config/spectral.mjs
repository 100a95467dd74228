import owasp from '@stoplight/spectral-owasp-ruleset';
import { truthy } from '@stoplight/spectral-functions';
import { oas } from '@stoplight/spectral-rulesets';

const owaspRules = owasp.rules ?? owasp.default.rules;

/** A rule as it is, for fewer places. */
const onlyFor = (name, given) => ({ ...owaspRules[name], given });

const bodies = '$.paths[*][*].requestBody.content[*].schema';

/** `spectral:oas` and OWASP's rules. Each exception says why. */
export default {
  extends: [oas, owasp],
  rules: {
    // Limits belong to what comes in. Answers hold what was let in before, and parameters fit into the 16 KiB that Node allows for the head of a request.
    // A format or a pattern says how long a text is, too.
    'owasp:api4:2023-string-limit': onlyFor('owasp:api4:2023-string-limit', [
      `${bodies}..[?(@ && @.type=="string" && !@.format && !@.pattern)]`,
    ]),
    'owasp:api4:2023-array-limit': onlyFor('owasp:api4:2023-array-limit', [
      `${bodies}..[?(@ && @.type=="array")]`,
    ]),
    // Names and messages are what people write: any text within its limit.
    'owasp:api4:2023-string-restricted': 'off',
    // Limited is what can be misused in numbers (codes, sign-in, changes, figures); probes and cached pages are not. Those that are limited say so by `x-rate-limit`.
    'owasp:api4:2023-rate-limit': onlyFor(
      'owasp:api4:2023-rate-limit',
      '$.paths[*][?(@ && @["x-rate-limit"])].responses[?(@property.match(/^(2|4)/))]',
    ),
    'owasp:api4:2023-rate-limit-responses-429': onlyFor(
      'owasp:api4:2023-rate-limit-responses-429',
      '$.paths[*][?(@ && @["x-rate-limit"])].responses',
    ),
    // 401 can only come where somebody is asked for.
    'owasp:api8:2023-define-error-responses-401': onlyFor(
      'owasp:api8:2023-define-error-responses-401',
      '$.paths[*][?(@ && @.security && @.security.length > 0)].responses',
    ),
    // Public operations say so by `security: []`, and have no other way to say it. docs/routes.md lists who may call what, and a test holds it.
    'owasp:api2:2023-read-restricted': 'off',
    'owasp:api2:2023-write-restricted': 'off',
    'explicit-security': {
      description: 'Every operation says who may call it, be it nobody in particular.',
      severity: 'error',
      given: '$.paths[*][?(@ && @.operationId)]',
      then: { field: 'security', function: truthy },
    },
    // A link in a mail carries a token for one step (RFC 8058 asks for it), and logs leave queries out.
    'owasp:api2:2023-no-credentials-in-url': onlyFor(
      'owasp:api2:2023-no-credentials-in-url',
      '$..parameters[?(@ && @.in && @.in.match(/query|path/) && @.name !== "token")].name',
    ),
    // The rule takes a schema without a type, such as a union of texts, for a number.
    'owasp:api1:2023-no-numeric-ids': onlyFor(
      'owasp:api1:2023-no-numeric-ids',
      '$.paths..parameters[?(@ && @.name && @.name.match(/^id$|(_id|Id|-id)$/) && @.schema && @.schema.type)].schema',
    ),
    // Other sites' pages may read a few public answers only; the rule wants the header on all.
    'owasp:api8:2023-define-cors-origin': 'off',
    // It compiles a schema for each of thousands of examples, which takes most of the time. test/contract/openapi-examples holds this, for each of them.
    'oas3-valid-media-example': 'off',
    // Descriptions are ours; a code block in one shows how a page loads a script.
    'no-script-tags-in-markdown': 'off',
    // A WebSocket's good answer is 101. Redocly asks for the others' (redocly.yaml).
    'operation-success-response': 'off',
  },
};
