const linesOf = ({ loc: { start, end } }) => end.line - start.line + 1;

/** True for the methods of a service: functions with a name inside a factory or an object. */
function isMember(node) {
  if (node.type === 'FunctionDeclaration') return true;
  const { parent } = node;
  return (
    (parent.type === 'Property' && parent.value === node) ||
    (parent.type === 'VariableDeclarator' && parent.init === node)
  );
}

/** The lines of a docstring and of the blank ones above a member, which belong to it. */
function linesAbove(node, lines) {
  let at = node.loc.start.line - 1;
  while (at > 0 && /^\s*(\/\*\*|\*|\/\/|$)/.test(lines[at - 1])) at -= 1;
  return node.loc.start.line - 1 - at;
}

/**
 * The lines of a function, without those of the functions that it defines by name, and of their
 * docstrings: a service is a function whose methods are counted apart.
 */
const functionLength = {
  meta: { schema: [{ type: 'object', properties: { max: { type: 'integer' } } }] },
  create(context) {
    const max = context.options[0]?.max ?? 60;
    const open = [];
    const enter = (node) => open.push({ node, inner: 0 });
    const leave = (node) => {
      const { inner } = open.pop();
      const total = linesOf(node);
      const outer = open.at(-1);
      const above = isMember(node) ? linesAbove(node, context.sourceCode.lines) : 0;
      if (outer !== undefined) outer.inner += isMember(node) ? total + above : inner;
      if (total - inner > max)
        context.report({
          node,
          message:
            `This function has ${total - inner} lines, without those it defines by name. ` +
            `Maximum: ${max}.`,
        });
    };
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': leave,
      'FunctionExpression:exit': leave,
      'ArrowFunctionExpression:exit': leave,
    };
  },
};

export default { meta: { name: 'house' }, rules: { 'function-length': functionLength } };
