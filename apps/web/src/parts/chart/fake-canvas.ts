import { vi } from 'vitest'

export type Corner = readonly [x: number, y: number]
type Outline = readonly Corner[]

/** A line, an area or a text, with what was set when it was drawn. */
export interface Shape {
  /** `box` is a rectangle that is filled */
  form: 'line' | 'area' | 'box' | 'text'
  /** a text has its place only */
  outlines: readonly Outline[]
  /** outside of these it is not drawn */
  clips: readonly (readonly Outline[])[]
  colour: unknown
  dash: readonly number[]
  text?: string
}

/** What a chart drew. */
export interface Drawn {
  /** in order: later ones lie above earlier ones */
  shapes: Shape[]
  /** colours of lines, in order */
  strokes: unknown[]
  texts: string[]
}

class Path {
  outlines: Corner[][] = []
  constructor(other?: Path) {
    if (other) this.addPath(other)
  }
  moveTo(x: number, y: number) {
    this.outlines.push([[x, y]])
  }
  lineTo(x: number, y: number) {
    if (this.outlines.length === 0) this.moveTo(x, y)
    else this.outlines.at(-1)!.push([x, y])
  }
  rect(x: number, y: number, width: number, height: number) {
    this.outlines.push([
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ])
  }
  arc(x: number, y: number) {
    this.moveTo(x, y)
  }
  addPath({ outlines }: Path) {
    this.outlines.push(...outlines.map((one) => [...one]))
  }
}

interface State {
  strokeStyle?: unknown
  fillStyle?: unknown
  dash: readonly number[]
  clips: readonly (readonly Outline[])[]
}

/** happy-dom has no canvas, so this one records what is drawn. The charts are 600 px wide. */
export function stubCanvas(): Drawn {
  const drawn: Drawn = { shapes: [], strokes: [], texts: [] }
  let state: State = { dash: [], clips: [] }
  let path = new Path()
  const saved: State[] = []
  const add = (form: Shape['form'], outlines: readonly Outline[], text?: string) =>
    drawn.shapes.push({
      form,
      outlines: outlines.map((one) => [...one]),
      clips: state.clips,
      colour: form === 'line' ? state.strokeStyle : state.fillStyle,
      dash: form === 'line' ? state.dash : [],
      ...(text !== undefined && { text }),
    })
  const boxed = (...[x, y, width, height]: Parameters<Path['rect']>) => {
    const box = new Path()
    box.rect(x, y, width, height)
    return box.outlines
  }
  const known: Record<string, unknown> = {
    measureText: (text: string) => ({ width: text.length * 6 }),
    save: () => void saved.push({ ...state }),
    restore: () => void (state = saved.pop() ?? state),
    setLineDash: (dash: readonly number[]) => void (state.dash = [...dash]),
    beginPath: () => void (path = new Path()),
    moveTo: (x: number, y: number) => path.moveTo(x, y),
    lineTo: (x: number, y: number) => path.lineTo(x, y),
    rect: (...box: Parameters<Path['rect']>) => path.rect(...box),
    clip: (own: Path = path) => void (state.clips = [...state.clips, new Path(own).outlines]),
    stroke: (own: Path = path) => add('line', own.outlines),
    fill: (own: Path = path) => add('area', own.outlines),
    fillRect: (...box: Parameters<Path['rect']>) => add('box', boxed(...box)),
    fillText(text: string, x: number, y: number) {
      drawn.texts.push(text)
      add('text', [[[x, y]]], text)
    },
  }
  const surface = new Proxy(known, {
    get: (_, name: string) => known[name] ?? (() => undefined),
    set(_, name: string, value) {
      if (name === 'strokeStyle') drawn.strokes.push(value)
      if (name === 'strokeStyle' || name === 'fillStyle') state[name] = value
      else known[name] = value
      return true
    },
  })
  vi.stubGlobal('Path2D', Path)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(surface as never)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  return drawn
}
