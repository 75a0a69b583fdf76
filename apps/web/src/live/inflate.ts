import type { DeltaFrame } from '@pulse/contract'

/**
 * A binary frame: `deflate-raw` of JSON. The browser inflates off the main thread. Written and read by hand: as a Blob
 * piped into a Response the same costs ten times as much.
 */
export async function inflateFrame(data: ArrayBuffer): Promise<DeltaFrame> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const writer = writable.getWriter()
  // what is wrong with the data fails the reading below
  writer.write(data).catch(() => {})
  writer.close().catch(() => {})
  const reader = readable.getReader()
  const decoder = new TextDecoder()
  let json = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return JSON.parse(json + decoder.decode()) as DeltaFrame
    json += decoder.decode(value, { stream: true })
  }
}
