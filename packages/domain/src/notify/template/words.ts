import { TemplateError } from './template-error.ts'

/** The tokens of an action. */
export type Word =
  | { kind: 'name'; text: string; joined: boolean }
  | { kind: 'field'; path: string[]; joined: boolean }
  | { kind: 'literal'; value: string | number; joined: boolean }
  | { kind: '|'; joined: boolean }
  | { kind: '('; joined: boolean }
  | { kind: ')'; joined: boolean }

const fieldPath = /^(?:\.[A-Za-z_][A-Za-z0-9_]*)+/
const name = /^[A-Za-z_][A-Za-z0-9_]*/
const number = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/
const rawText = /^`[^`]*`/
const quotedText = /^"(?:[^"\\\n]|\\.)*"/

/** `joined`: no white space precedes it. */
export function wordsOf(action: string, line: number): Word[] {
  const words: Word[] = []
  let rest = action
  while (rest !== '') {
    const trimmed = rest.trimStart()
    const joined = trimmed.length === rest.length && words.length > 0
    rest = trimmed
    if (rest === '') break
    const [word, length] = next(rest, line)
    words.push({ ...word, joined })
    rest = rest.slice(length)
  }
  return words
}

type Bare = Word extends infer W ? (W extends Word ? Omit<W, 'joined'> : never) : never

function next(rest: string, line: number): [Bare, number] {
  const first = rest[0]!
  if (first === '|' || first === '(' || first === ')') return [{ kind: first }, 1]
  const path = fieldPath.exec(rest)?.[0]
  if (path) return [{ kind: 'field', path: path.slice(1).split('.') }, path.length]
  if (first === '.' && !/^\.\d/.test(rest)) return [{ kind: 'field', path: [] }, 1]
  const called = name.exec(rest)?.[0]
  if (called) return [{ kind: 'name', text: called }, called.length]
  const figure = number.exec(rest)?.[0]
  if (figure) return [{ kind: 'literal', value: Number(figure) }, figure.length]
  const raw = rawText.exec(rest)?.[0]
  if (raw) return [{ kind: 'literal', value: raw.slice(1, -1) }, raw.length]
  const quoted = quotedText.exec(rest)?.[0]
  if (quoted) return [{ kind: 'literal', value: unquoted(quoted, line) }, quoted.length]
  if (first === '$')
    throw new TemplateError(line, 'variables such as $x cannot be used; a field such as .Level is expected')
  throw new TemplateError(
    line,
    `${JSON.stringify(first)} is not understood; a field such as .Level, a function or a text is expected`,
  )
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', "'": "'" }

function unquoted(text: string, line: number): string {
  return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => {
    if (code.length === 5) return String.fromCharCode(parseInt(code.slice(1), 16))
    const meant = Object.hasOwn(escapes, code) ? escapes[code] : undefined
    if (meant === undefined)
      throw new TemplateError(
        line,
        `\\${code} in a text is not understood; \\n, \\t, \\" or \\\\ is expected`,
      )
    return meant
  })
}
