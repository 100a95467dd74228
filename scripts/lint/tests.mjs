const comparisons = new Set(['toEqual', 'toStrictEqual', 'toMatchObject']);

/** Returns the call `expect(…)` that a matcher's call belongs to, or undefined. */
function expectOf({ callee }) {
  let call = callee.object;
  while (call?.type === 'MemberExpression') call = call.object;
  return call?.type === 'CallExpression' && call.callee.name === 'expect' ? call : undefined;
}

const isTuple = (node) => node?.type === 'ArrayExpression' && node.elements.length > 1;

/** Several values that one assertion compares need names: "1 is not 2" does not say what fails. */
const namedAssertions = {
  create: (context) => ({
    CallExpression(node) {
      if (node.callee.type !== 'MemberExpression' || !comparisons.has(node.callee.property.name)) {
        return;
      }
      if (!isTuple(expectOf(node)?.arguments[0]) || !isTuple(node.arguments[0])) return;
      context.report({
        node,
        message: 'Name the values: expect({ status, body }).toEqual({ status: 200, body: … })',
      });
    },
  }),
};

export default { meta: { name: 'tests' }, rules: { 'named-assertions': namedAssertions } };
