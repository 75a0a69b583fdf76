import { SourceError } from './source-error.ts'

const [brace, endBrace, bracket, endBracket, quote, backslash, comma] = [...Buffer.from('{}[]"\\,')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))
/** The most bytes around the list. More cannot be an API answer. */
const mostAround = 1_000

/** Reads `{"data":[…]}` as it arrives and passes on one entry at a time. */
export interface ListReader {
  take(piece: Buffer): void
  /** Called after the last byte. */
  end(): void
}

/**
 * Holds only the current entry, so memory use and the longest step depend on the largest entry, not on the
 * answer. Refuses anything but such a list, and entries larger than `maxEntryBytes`.
 */
export function createListReader(
  what: string,
  each: (entry: unknown) => void,
  maxEntryBytes = 256 * 1024,
): ListReader {
  const notAList = () => new SourceError('bad_answer', `${what}: the answer is not a list`)
  const notJson = (cause?: unknown) =>
    new SourceError('bad_answer', `${what}: the answer is not valid JSON`, { cause })
  /** open brackets and braces */
  let depth = 0
  let inText = false
  let escaped = false
  /** the list begins after `"data":` */
  let head = ''
  let tail = ''
  /** the latest token of the list */
  let last: 'nothing' | 'entry' | 'comma' = 'nothing'
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
    last = 'entry'
    each(entry)
  }

  /** Handles bytes between entries. */
  function separate(byte: number) {
    if (blanks.has(byte)) return
    if (byte !== comma) throw notAList()
    if (last !== 'entry') throw notJson()
    last = 'comma'
  }

  function close(byte: number) {
    if (byte !== endBracket || last === 'comma') throw notJson()
    isInList = false
    isOver = true
  }

  /** Reads up to the start of the list. */
  function open(piece: Buffer): number {
    const at = piece.indexOf(bracket)
    head += piece.subarray(0, at < 0 ? piece.length : at).toString('latin1')
    if (head.trimStart().startsWith('<'))
      throw new SourceError(
        'bad_answer',
        `${what}: a web page came back instead of an API answer; check address and port, and any proxy in between`,
      )
    if (head.length > mostAround) throw notAList()
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
          if (depth++ > 0) continue
          if (last === 'entry') throw notJson()
          from = at
        } else if (byte === endBrace || byte === endBracket) {
          if (depth === 0) close(byte)
          else if (--depth === 0) {
            hold(piece.subarray(from, at + 1))
            finishEntry()
          }
        } else if (depth === 0) separate(byte)
      }
      if (isInList && depth > 0) hold(Buffer.from(piece.subarray(from)))
      if (isOver) tail += piece.subarray(at).toString('latin1')
      if (tail.length > mostAround) throw notAList()
    },
    end() {
      if (!isOver) throw isInList ? notJson() : notAList()
      let around: { data?: unknown }
      try {
        around = JSON.parse(`${head}[]${tail}`) as { data?: unknown }
      } catch (cause) {
        throw notJson(cause)
      }
      if (!Array.isArray(around.data)) throw notAList()
    },
  }
}
