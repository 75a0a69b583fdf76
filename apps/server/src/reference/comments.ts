import { parseSync, Visitor } from 'rolldown/utils'

interface Edit {
  at: number
  text: string
}

/**
 * Rewrites a module of the contract: passes each comment to `describe`, together with the value of the field
 * or export that follows it.
 */
export function withComments(file: string, code: string, describe: string): string {
  const edits: Edit[] = []
  const wrap = (start: number, end: number, text: string, before = '') => {
    edits.push({ at: start, text: `${before}${describe}(` }, { at: end, text: `, ${JSON.stringify(text)})` })
  }
  new Visitor({
    ExportNamedDeclaration({ start, declaration }) {
      const text = commentBefore(code, start)
      if (text === undefined || declaration?.type !== 'VariableDeclaration') return
      for (const { init } of declaration.declarations) if (init) wrap(init.start, init.end, text)
    },
    ObjectExpression({ properties }) {
      for (const property of properties) {
        const text = commentBefore(code, property.start)
        if (text === undefined || property.type !== 'Property' || property.method) continue
        const { start, value, shorthand } = property
        if (shorthand) wrap(start, value.end, text, `${code.slice(value.start, value.end)}: `)
        else wrap(value.start, value.end, text)
      }
    },
  }).visit(parseSync(file, code).program)
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: put }) => text.slice(0, at) + put + text.slice(at), code)
}

/** The doc comment that ends directly before a position. */
function commentBefore(code: string, position: number): string | undefined {
  const before = code.slice(0, position).trimEnd()
  if (!before.endsWith('*/')) return undefined
  const start = before.lastIndexOf('/*')
  if (!before.startsWith('/**', start)) return undefined
  const lines = before.slice(start + 3, -2).split('\n')
  return lines
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim()
    .replace(/([^\n])\n(?![-\n])/g, '$1 ')
}
