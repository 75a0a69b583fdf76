import type { DeltaFrame } from '@pulse/contract'
import { createFrameParser } from '@pulse/domain'

/** Compressed bytes: some tens of them become a thousand characters. */
const BITE = 16 * 1024
/** Characters that are read between two breaths: of fifty thousand backups there are tens of millions. */
const BREATH = 1024 * 1024

/**
 * A binary frame: `deflate-raw` of JSON, inflated and read a little at a time, so that the page answers meanwhile. By
 * hand: as a Blob piped into a Response the same costs ten times as much.
 */
export async function inflateFrame(data: ArrayBuffer): Promise<DeltaFrame> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  // what is wrong with the data fails the reading below
  feed(writable, data).catch(() => {})
  const reader = readable.getReader()
  const decoder = new TextDecoder()
  const parser = createFrameParser()
  let sinceBreath = 0
  for (;;) {
    const { done, value } = await reader.read()
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
    parser.push(text)
    if (done) return parser.end()
    sinceBreath += text.length
    if (sinceBreath < BREATH) continue
    sinceBreath = 0
    await breath()
  }
}

async function feed(writable: WritableStream<BufferSource>, data: ArrayBuffer): Promise<void> {
  const writer = writable.getWriter()
  for (let from = 0; from < data.byteLength; from += BITE)
    await writer.write(new Uint8Array(data, from, Math.min(BITE, data.byteLength - from)))
  await writer.close()
}

/** Whatever waits has its turn. No timer: those of a page in the background come once a second. */
function breath(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
