import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from '../../area.ts'
import type { Leading } from '../../db/postgres.ts'
import { createSignal, type OnSignal } from '../../signal.ts'
import type { Bus } from '../nats/bus.ts'
import type { Calls } from './calls.ts'
import { type Leadership, seekLeadership } from './leadership.ts'
import type { Leases } from '../leases/leases.ts'
import type { PresentProcess } from '../presence.ts'

interface OwnLeadEdges {
  bus: Pick<Bus, 'isUp'>
  leases: Leases
  leading: Leading
  clock: Clock
  log: Logger
  /** of this process */
  id: string
  site: string
  present: () => Promise<PresentProcess[]>
  /** this one has the role for it */
  mayLead: boolean
  /** What the process that led before has left is here. Before areas begin to lead. */
  takeOver: (fence: string) => Promise<void>
  /** All areas lead. */
  onLeading: () => void
  onFault: (error: unknown) => void
}

/** Whether this process leads, and what it does then. */
export interface OwnLead {
  /** undefined: it does not seek the lead */
  readonly leadership: Leadership | undefined
  /** It leads, and all areas have begun to. */
  readonly isLeading: boolean
  mayAct(): boolean
  /** Leads these areas as soon as it can. Answers what others ask over `calls` while it leads. */
  seek(areas: readonly Area[], calls: Pick<Calls, 'answer'>): void
  answerWith(answer: (question: unknown) => Promise<unknown>): void
  /** Another process leads now. */
  onDeposed: OnSignal<[why: string]>
  /** Does not begin to lead any more, and answers nothing. */
  close(): void
  /** Another process takes the lead at once. */
  stop(): Promise<void>
}

export function createOwnLead(edges: OwnLeadEdges): OwnLead {
  const { bus, leases, leading, clock, log, id, site, present, mayLead, takeOver, onLeading, onFault } = edges
  let isReady = false
  let leadership: Leadership | undefined
  let answer: (question: unknown) => Promise<unknown> = () => Promise.reject(new Error('nothing answers'))
  let endAnswering = () => {}
  const deposed = createSignal<[why: string]>()
  const mayAct = () => leadership?.mayAct() === true

  /** Whether there is another process that may lead, and that the database answers. */
  const hasOther = async () =>
    bus.isUp &&
    (await present()).some(
      (one) =>
        one.id !== id &&
        // collectors of other sites may write anything about themselves
        [site, mainSite].includes(one.site) &&
        one.roles.includes('judge') &&
        one.hasDatabase === true,
    )

  async function lead(areas: readonly Area[], calls: Pick<Calls, 'answer'>, fence: string) {
    log.info('this process leads: alerts, notifications and reports of agents')
    await takeOver(fence)
    for (const area of areas) await area.lead?.()
    isReady = true
    onLeading()
    endAnswering = calls.answer(fence, { mayAnswer: mayAct, answer })
  }

  return {
    get leadership() {
      return leadership
    },
    get isLeading() {
      return isReady && leadership?.isLeading === true
    },
    mayAct,
    seek(areas, calls) {
      if (!mayLead) return
      leadership = seekLeadership({
        leases,
        database: leading,
        clock,
        canOtherLead: hasOther,
        onLead: (fence) => lead(areas, calls, fence),
        onDeposed(why) {
          endAnswering()
          log.warn({ why }, 'this process does not lead any more, and starts again')
          deposed.emit(why)
        },
        onFault,
      })
    },
    answerWith: (own) => void (answer = own),
    onDeposed: deposed.on,
    close() {
      leadership?.close()
      endAnswering()
    },
    stop: async () => leadership?.stop(),
  }
}
