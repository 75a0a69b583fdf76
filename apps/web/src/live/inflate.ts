import type { DeltaFrame } from '@pulse/contract'

/** A binary frame: `deflate-raw` of JSON. The browser inflates off the main thread. */
export function inflateFrame(data: ArrayBuffer): Promise<DeltaFrame> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).json() as Promise<DeltaFrame>
}
