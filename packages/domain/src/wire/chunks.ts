import type { DeltaFrame } from '@pulse/contract'
import { type InSteps, listInSteps, STEP } from './in-steps.ts'

/**
 * Writes a long list of records as one line per chunk. The line before ends with `[`, the line after begins
 * with `]`. JSON treats the line breaks as white space, so a reader can parse a long frame one chunk at a
 * time. No line ends within a text.
 */
export function* inLines<T>(list: readonly T[], made: (item: T) => unknown): InSteps<string[]> {
  const pieces = yield* listInSteps(list, made)
  return list.length > STEP ? pieces.map((piece, at) => (at === 0 ? piece : `\n${piece}`)) : pieces
}

export interface FrameParser {
  /** the next characters of the frame */
  push(text: string): void
  /** Throws, like `push`, when the text is not JSON. */
  end(): DeltaFrame
}

/** Parses a frame while it arrives. No step takes longer than one chunk. */
export function createFrameParser(): FrameParser {
  /** the frame, with each chunked list replaced by its number */
  let frame = ''
  let line = ''
  let isFirst = true
  let open: unknown[] | undefined
  const lists: unknown[][] = []

  function take() {
    if (isFirst || line.startsWith(']')) {
      frame += line
      open = undefined
    } else {
      if (!open) {
        frame += String(lists.length)
        lists.push((open = []))
      }
      const records = JSON.parse(`[${line.startsWith(',') ? line.slice(1) : line}]`) as unknown[]
      for (const record of records) open.push(record)
    }
    isFirst = false
    line = ''
  }

  return {
    push(text) {
      let from = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        line += text.slice(from, end)
        from = end + 1
        take()
      }
      line += text.slice(from)
    },
    end() {
      take()
      const read = JSON.parse(frame) as DeltaFrame
      if (read.t === 'snapshot' && lists.length > 0) {
        for (const [kind, records] of Object.entries(read.state) as [keyof typeof read.state, unknown[]][]) {
          const [number] = records
          if (typeof number === 'number') read.state[kind] = lists[number] as never
        }
      }
      return read
    },
  }
}
