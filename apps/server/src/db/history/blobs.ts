import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** The first level: more work gains a few percent. SQLite does not notice a changed byte; the checksum does. */
const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

export const packed = (content: Uint8Array | string): Uint8Array => zstdCompressSync(content, compression)

export interface Blobs {
  /** Undefined if the disk has changed it. */
  unpacked(blob: unknown): Buffer | undefined
  /** those that could not be read, since the file was opened */
  unreadable(): number
}

/** One byte that the disk has lost must not cost more than what is in its blob. */
export function createBlobs(): Blobs {
  const broken = new Set<string>()
  return {
    unpacked(blob) {
      const bytes = blob as Uint8Array
      try {
        return zstdDecompressSync(bytes)
      } catch {
        if (broken.size < mostCounted) broken.add(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
        return undefined
      }
    },
    unreadable: () => broken.size,
  }
}

const mostCounted = 1_000
