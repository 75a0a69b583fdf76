import type { DeltaFrame } from '@pulse/contract'
import { inflateFrame } from './inflate.ts'
import type { InflateAnswer, InflateQuestion } from './inflate-serve.ts'

/** The page's end of a worker. */
export interface Inflater extends EventTarget {
  postMessage(question: InflateQuestion): void
}

/**
 * Bytes: fewer are read in the time that the way to another thread takes, and what is larger is a snapshot, whose records
 * would be copied on the way back.
 */
const WORTH = { least: 2_048, most: 131_072 }

interface Waiting {
  data: ArrayBuffer
  resolve(frame: DeltaFrame | Promise<DeltaFrame>): void
  reject(error: Error): void
}

const startWorker = (): Inflater =>
  new Worker(new URL('./inflate-worker.ts', import.meta.url), { type: 'module' })

/** Reads frames, updates beside the page's own thread. Where that does not work it reads all of them here. */
export function createInflate(
  start: () => Inflater = startWorker,
): (data: ArrayBuffer) => Promise<DeltaFrame> {
  const waiting = new Map<number, Waiting>()
  let worker: Inflater | undefined
  let isTried = false
  let asked = 0

  const giveUp = () => {
    worker = undefined
    for (const { data, resolve } of waiting.values()) resolve(inflateFrame(data))
    waiting.clear()
  }

  const onAnswer = ({ data: answer }: MessageEvent<InflateAnswer>) => {
    const one = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('frame' in answer) one?.resolve(answer.frame)
    else one?.reject(new Error(answer.error))
  }

  const started = (): Inflater | undefined => {
    if (isTried) return worker
    isTried = true
    try {
      worker = start()
    } catch {
      // forbidden by whoever stands between: the page reads them itself, as it did until now
      return undefined
    }
    worker.addEventListener('message', (event) => onAnswer(event as MessageEvent<InflateAnswer>))
    worker.addEventListener('error', giveUp)
    worker.addEventListener('messageerror', giveUp)
    return worker
  }

  return (data) => {
    // the first is what the page waits for
    const isWorth = asked > 0 && data.byteLength >= WORTH.least && data.byteLength <= WORTH.most
    const id = asked++
    const beside = isWorth ? started() : undefined
    if (!beside) return inflateFrame(data)
    return new Promise((resolve, reject) => {
      waiting.set(id, { data, resolve, reject })
      beside.postMessage({ id, data })
    })
  }
}
