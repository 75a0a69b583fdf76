import { TemplateError } from './template-error.ts'

/** Literal text, or the action between `{{` and `}}`. */
export interface Piece {
  kind: 'text' | 'action'
  text: string
  line: number
}

const blank = /^[ \t\r\n]/

/** `{{-` and `-}}` trim the white space beside them. */
export function scan(source: string): Piece[] {
  const pieces: Piece[] = []
  let line = 1
  let at = 0
  let trims = false
  for (;;) {
    const open = source.indexOf('{{', at)
    const text = source.slice(at, open < 0 ? source.length : open)
    const trimsBefore = open >= 0 && source[open + 2] === '-' && blank.test(source.slice(open + 3))
    pieces.push({ kind: 'text', ...trimmed(text, line, trims, trimsBefore) })
    line += lineEnds(text)
    if (open < 0) return pieces.filter((piece) => piece.kind === 'action' || piece.text !== '')
    const from = open + (trimsBefore ? 3 : 2)
    const close = endOfAction(source, from, line)
    const inner = source.slice(from, close)
    trims = inner.endsWith('-') && blank.test(inner.slice(-2, -1))
    const action = trims ? inner.slice(0, -1) : inner
    // a comment has no output
    if (!/^\s*\/\*/.test(action)) pieces.push({ kind: 'action', text: action, line })
    line += lineEnds(source.slice(open, close))
    at = close + 2
  }
}

function trimmed(text: string, line: number, start: boolean, end: boolean): { text: string; line: number } {
  const withoutStart = start ? text.trimStart() : text
  const skipped = text.slice(0, text.length - withoutStart.length)
  return { text: end ? withoutStart.trimEnd() : withoutStart, line: line + lineEnds(skipped) }
}

const lineEnds = (text: string): number => text.split('\n').length - 1

/** The next `}}` outside strings and comments. */
function endOfAction(source: string, from: number, line: number): number {
  const comment = /^\s*\/\*/.exec(source.slice(from, from + 100))
  if (comment) {
    const end = source.indexOf('*/', from + comment[0].length)
    const close = end < 0 ? -1 : source.indexOf('}}', end)
    if (close >= 0) return close
    throw new TemplateError(line, 'the comment has no end: */}} is expected')
  }
  let quote = ''
  for (let at = from; at < source.length; at++) {
    const character = source[at]!
    if (quote === '') {
      if (character === '}' && source[at + 1] === '}') return at
      if (character === '"' || character === '`') quote = character
    } else if (character === '\\' && quote === '"') at++
    else if (character === quote) quote = ''
  }
  throw new TemplateError(
    line,
    quote ? `a text that begins with ${quote} has no end` : '}} is expected: {{ has no end',
  )
}
