/** Chunks are joined at this number: each costs some hundred bytes in addition to its content. */
const mostLoose = 256

/** Each read costs an event loop turn. These reads are free, plus one per `bytesPerRead` bytes. */
const freeReads = 2_000
const bytesPerRead = 256
export const isFragmented = (reads: number, bytes: number): boolean =>
  reads > freeReads + bytes / bytesPerRead

/** A body while it arrives. Its memory follows its size, however small the chunks. */
export interface ResponseBody {
  add(chunk: Buffer): void
  readonly size: number
  /** chunks in memory */
  readonly count: number
  join(): Buffer
  clear(): void
}

export function createResponseBody(): ResponseBody {
  let joined: Buffer[] = []
  let loose: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      loose.push(chunk)
      if (loose.length < mostLoose) return
      joined.push(Buffer.concat(loose))
      loose = []
    },
    get size() {
      return size
    },
    get count() {
      return joined.length + loose.length
    },
    join: () => Buffer.concat([...joined, ...loose], size),
    clear() {
      joined = []
      loose = []
    },
  }
}
