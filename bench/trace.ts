import type { CDPSession } from 'playwright-core'

/** Steps of the main thread between layout and compositor; the last one ends a frame. */
const paintSteps = ['PrePaint', 'Paint', 'Layerize', 'UpdateLayer', 'Commit']
/** These contain `Commit`. */
const categories = 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline'

interface TraceEvent {
  name: string
  cat: string
  ph: string
  pid: number
  tid: number
  ts: number
  dur?: number
  args: { name?: string; data?: { frameTreeNodeId?: number } }
}

/** Work of the main thread during a measurement. */
export async function traceMainThread(
  session: CDPSession,
  meanwhile: () => Promise<unknown>,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  const take = ({ value }: { value: unknown }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', take)
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' })
  await meanwhile()
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', take)
  const threads = new Set(
    events
      .filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain')
      .map((e) => `${e.pid}/${e.tid}`),
  )
  return events.filter((e) => e.ph === 'X' && threads.has(`${e.pid}/${e.tid}`) && e.dur !== undefined)
}

export function longestTaskMs(events: readonly TraceEvent[]): number {
  const tasks = events.filter((e) => /RunTask/.test(e.name))
  if (tasks.length === 0) throw new Error('the trace holds no task of a main thread')
  return tasks.reduce((most, { dur }) => Math.max(most, dur!), 0) / 1000
}

export function paintingIn(events: readonly TraceEvent[]): { paintMs: number; frames: number } {
  const steps = outermost(events.filter((e) => paintSteps.includes(e.name)))
  const frames = steps.filter((e) => e.name === 'Commit').length
  if (frames === 0) throw new Error('the trace holds no Commit')
  return { paintMs: steps.reduce((sum, e) => sum + e.dur!, 0) / 1000, frames }
}

/** Steps are nested; only the outermost count, so that no moment counts twice. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let end = -Infinity
  return events
    .toSorted((a, b) => a.ts - b.ts || b.dur! - a.dur!)
    .filter(({ ts, dur }) => {
      if (ts + dur! <= end) return false
      end = ts + dur!
      return true
    })
}
