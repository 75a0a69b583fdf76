import type { DeltaFrame } from '@pulse/contract'
import { handOver } from '@pulse/domain'
import { inflateFrame } from './inflate.ts'

export interface InflateQuestion {
  id: number
  data: ArrayBuffer
}

export type InflateAnswer = { id: number; frame: DeltaFrame } | { id: number; error: string }

interface Asking {
  addEventListener(type: 'message', listener: (event: MessageEvent<InflateQuestion>) => void): void
  postMessage(answer: InflateAnswer, moved: ArrayBuffer[]): void
}

/** In the thread beside the page: reads what it is sent. */
export function serveInflate(page: Asking): void {
  const answer = async ({ id, data }: InflateQuestion) => {
    try {
      const frame = await inflateFrame(data)
      page.postMessage({ id, frame }, handOver(frame))
    } catch (error) {
      page.postMessage({ id, error: String(error) }, [])
    }
  }
  page.addEventListener('message', ({ data }) => void answer(data))
}
