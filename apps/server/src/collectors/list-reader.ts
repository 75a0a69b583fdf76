import { SourceError } from './source-error.ts'

const [brace, endBrace, bracket, endBracket, quote, backslash] = [...Buffer.from('{}[]"\\')] as [
  number,
  number,
  number,
  number,
  number,
  number,
]

/** Takes `{"data":[…]}` as it comes in, and hands over one entry after the other. */
export interface ListReader {
  take(piece: Buffer): void
  /** All of it came. */
  end(): void
}

/**
 * Only the entry that is under way is held, so memory and the longest step follow the largest entry, not the answer.
 * What is not such a list is refused, and an entry beyond `maxEntryBytes` too.
 */
export function createListReader(
  what: string,
  each: (entry: unknown) => void,
  maxEntryBytes = 256 * 1024,
): ListReader {
  const notAList = () => new SourceError('bad_answer', `${what}: the answer is not a list`)
  const notJson = (cause?: unknown) =>
    new SourceError('bad_answer', `${what}: the answer is not valid JSON`, { cause })
  /** brackets and braces that are open */
  let depth = 0
  let inText = false
  let escaped = false
  /** the list itself begins behind `"data":` */
  let head = ''
  let isInList = false
  let isOver = false
  let loose: Buffer[] = []
  let held = 0

  function hold(piece: Buffer) {
    held += piece.length
    if (held > maxEntryBytes)
      throw new SourceError('too_large', `${what}: one entry is larger than ${maxEntryBytes >> 10} KB`)
    loose.push(piece)
  }

  function finishEntry() {
    const bytes = loose.length === 1 ? loose[0]! : Buffer.concat(loose, held)
    loose = []
    held = 0
    let entry: unknown
    try {
      entry = JSON.parse(bytes.toString())
    } catch (cause) {
      throw notJson(cause)
    }
    each(entry)
  }

  /** Up to the list: everything before `"data":[` is short, and nothing else is an API answer. */
  function open(piece: Buffer): number {
    const at = piece.indexOf(bracket)
    head += piece.subarray(0, at < 0 ? piece.length : at).toString('latin1')
    if (head.trimStart().startsWith('<'))
      throw new SourceError(
        'bad_answer',
        `${what}: a web page came back instead of an API answer; check address and port, and any proxy in between`,
      )
    if (head.length > 1_000) throw notAList()
    if (at < 0) return piece.length
    const start = head.replaceAll(/\s/g, '')
    if (!start.startsWith('{') || !start.endsWith('"data":')) throw notAList()
    isInList = true
    return at + 1
  }

  return {
    take(piece) {
      let at = isInList || isOver ? 0 : open(piece)
      let from = at
      for (; at < piece.length && isInList; at++) {
        const byte = piece[at]!
        if (inText) {
          if (escaped) escaped = false
          else if (byte === backslash) escaped = true
          else if (byte === quote) inText = false
        } else if (byte === quote) {
          if (depth === 0) throw notAList()
          inText = true
        } else if (byte === brace || byte === bracket) {
          if (depth++ === 0) from = at
        } else if (byte === endBrace || byte === endBracket) {
          if (depth === 0) {
            isInList = false
            isOver = true
          } else if (--depth === 0) {
            hold(piece.subarray(from, at + 1))
            finishEntry()
          }
        }
      }
      if (isInList && depth > 0) hold(Buffer.from(piece.subarray(from)))
    },
    end() {
      if (!isOver) throw isInList ? notJson() : notAList()
    },
  }
}
