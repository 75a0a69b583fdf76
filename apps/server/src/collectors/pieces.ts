/** Joined as soon as there are so many: a piece costs some hundred bytes besides what is in it. */
const mostLoose = 256

/** Every read costs a turn, whatever it brings: so many are free, and one more for each so many bytes. */
const freeReads = 2_000
const bytesPerRead = 256
export const isCrumbs = (reads: number, bytes: number): boolean => reads > freeReads + bytes / bytesPerRead

/** A body as it comes in. What it takes follows its size, however small the pieces that a host sends it in. */
export interface Pieces {
  add(piece: Buffer): void
  readonly size: number
  /** how many are held */
  readonly count: number
  join(): Buffer
  clear(): void
}

export function createPieces(): Pieces {
  let joined: Buffer[] = []
  let loose: Buffer[] = []
  let size = 0
  return {
    add(piece) {
      size += piece.length
      loose.push(piece)
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
