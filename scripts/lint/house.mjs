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

/**
 * The lines of a function, without those of the functions that it defines by name: a service is a
 * function whose methods are counted apart.
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
      if (outer !== undefined) outer.inner += isMember(node) ? total : inner;
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
