import type { ESTree, Plugin } from 'vite'

type Node = ESTree.Node

/** Schemas of calls: the browser trusts the answers of the server it was built with. */
const schemaFields = ['params', 'query', 'body', 'reply', 'media']

/** What only an endpoint, or what several of them share, says. */
const ofEndpoints = ['path', 'access', 'bodyLimit']

interface Edit {
  start: number
  end: number
  text: string
}

/**
 * The vocabulary without what only the server needs of it. Whatever the contract makes by a call is marked as free of
 * side effects, so that an unused schema is left out; and of an endpoint the browser takes its method and path.
 */
export function bareContract(): Plugin {
  return {
    name: 'bare-contract',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /packages\/contract\/src\/.*\.ts$/ },
      handler(code) {
        const edits = this.parse(code).body.flatMap((statement) => declarators(statement).flatMap(bared))
        return { code: edited(code, edits), map: null }
      },
    },
  }
}

function declarators(statement: Node): ESTree.VariableDeclarator[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declaration?.type === 'VariableDeclaration' ? declaration.declarations : []
}

/** What is made at the top level: of calls, of what a call made, or of objects and lists that hold some. */
const made = ['CallExpression', 'NewExpression', 'MemberExpression', 'ObjectExpression', 'ArrayExpression']

function bared({ init }: ESTree.VariableDeclarator): Edit[] {
  if (!init || !made.includes(init.type)) return []
  const given = init.type === 'CallExpression' ? init.arguments[0] : init
  return [
    { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
    { start: init.end, end: init.end, text: '))()' },
    ...(given?.type === 'ObjectExpression' ? withoutSchemas(given) : []),
  ]
}

/** Of an endpoint, or of what several of them share: either says who may call it, where, or with how much. */
function withoutSchemas({ properties }: ESTree.ObjectExpression): Edit[] {
  const named = properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier'
      ? [{ name: property.key.name, value: property.value }]
      : [],
  )
  if (!named.some(({ name }) => ofEndpoints.includes(name))) return []
  return named
    .filter(({ name }) => schemaFields.includes(name))
    .map(({ value }) => ({ start: value.start, end: value.end, text: 'undefined' }))
}

/** From the end on, so that what is still to come keeps its place. */
const edited = (code: string, edits: readonly Edit[]) =>
  edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)
