import type { DeltaFrame } from '@pulse/contract'
import { createFrameParser } from '@pulse/domain'

/** Compressed bytes per write: some tens of them become a thousand characters. */
const CHUNK_BYTES = 16 * 1024
/** The parser yields after this many characters: fifty thousand backups have tens of millions. */
const CHARACTERS_PER_YIELD = 1024 * 1024

/**
 * Inflates and parses a binary frame (`deflate-raw` of JSON) in steps, so that the page stays responsive. A Blob piped
 * into a Response costs ten times as much.
 */
export async function inflateFrame(data: ArrayBuffer): Promise<DeltaFrame> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  // errors in the data surface in the read below
  feed(writable, data).catch(() => {})
  const reader = readable.getReader()
  const decoder = new TextDecoder()
  const parser = createFrameParser()
  let sinceYield = 0
  for (;;) {
    const { done, value } = await reader.read()
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
    parser.push(text)
    if (done) return parser.end()
    sinceYield += text.length
    if (sinceYield < CHARACTERS_PER_YIELD) continue
    sinceYield = 0
    await yieldToEventLoop()
  }
}

async function feed(writable: WritableStream<BufferSource>, data: ArrayBuffer): Promise<void> {
  const writer = writable.getWriter()
  for (let from = 0; from < data.byteLength; from += CHUNK_BYTES)
    await writer.write(new Uint8Array(data, from, Math.min(CHUNK_BYTES, data.byteLength - from)))
  await writer.close()
}

/** A message, not a timer: browsers run the timers of background pages once a second. */
function yieldToEventLoop(): Promise<void> {
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
