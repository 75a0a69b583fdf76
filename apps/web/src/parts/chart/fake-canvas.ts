import { vi } from 'vitest'

/** What a chart drew. */
export interface Drawn {
  /** colours of lines, in order */
  strokes: unknown[]
  texts: string[]
}

/** happy-dom has no canvas, so this one records drawing calls. The charts are 600 px wide. */
export function stubCanvas(): Drawn {
  const drawn: Drawn = { strokes: [], texts: [] }
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo() {}
      lineTo() {}
      rect() {}
      arc() {}
      addPath() {}
    },
  )
  const surface = new Proxy<Record<string, unknown>>(
    {
      measureText: (text: string) => ({ width: text.length * 6 }),
      fillText: (text: string) => drawn.texts.push(text),
    },
    {
      get: (known, name: string) => known[name] ?? (() => undefined),
      set(known, name: string, value) {
        known[name] = value
        if (name === 'strokeStyle') drawn.strokes.push(value)
        return true
      },
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(surface as never)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  return drawn
}
