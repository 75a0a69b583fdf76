import { type Alert, alertDefaults, type AlertConfig, type AlertSchedule } from '@pulse/contract'
import type { AlertChange, StoredAlert } from '../alerts/stored.ts'
import { Dispatcher } from './dispatcher.ts'
import type {
  ChannelInfo,
  Dispatch,
  DispatchItem,
  EpisodeEnd,
  LedgerChanges,
  NotificationLogEntry,
} from './dispatch.ts'

export const T0 = Date.UTC(2026, 0, 1, 12)
export const secondMs = 1_000
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export type ScheduleChange = Partial<Omit<AlertSchedule, 'grouping' | 'escalation' | 'quietHours'>> & {
  grouping?: Partial<AlertSchedule['grouping']>
  escalation?: AlertSchedule['escalation']
  quietHours?: Partial<AlertSchedule['quietHours']>
}

/** Active, without grouping and limits. Each test sets what it is about. */
export function settings(schedule: ScheduleChange = {}, change: Partial<AlertConfig> = {}): AlertConfig {
  const { schedule: usual } = alertDefaults
  return {
    ...alertDefaults,
    activationState: 'active',
    ...change,
    schedule: {
      ...usual,
      cooldown: 0,
      maxAlertsHour: 0,
      ...schedule,
      grouping: { ...usual.grouping, enabled: false, ...schedule.grouping },
      escalation: schedule.escalation ?? usual.escalation,
      quietHours: { ...usual.quietHours, ...schedule.quietHours },
    },
  }
}

/** More than most tests send. */
const capacity = { firing: 20_000, resolved: 20_000 }
export const email: ChannelInfo = { id: 'email', kind: 'email', name: 'Email', enabled: true, capacity }
export const hook: ChannelInfo = { id: 'webhook:1', kind: 'webhook', name: 'Hook', enabled: true, capacity }
export const apprise: ChannelInfo = {
  id: 'apprise',
  kind: 'apprise',
  name: 'Apprise',
  enabled: true,
  capacity,
}

export const anAlert = (change: Partial<Alert> = {}): Alert => ({
  id: 'guest-100-cpu',
  type: 'cpu',
  level: 'warning',
  resourceId: 'main:100',
  resourceName: 'web',
  node: 'pve1',
  instance: 'main',
  message: 'CPU is at 90%',
  value: 90,
  threshold: 80,
  startTime: new Date(T0).toISOString(),
  acknowledged: false,
  metadata: { resourceType: 'VM' },
  ...change,
})

export interface Receipt {
  /** the same for duplicates */
  event: number
  /** interrupted by a kill, so it is sent again unchanged, regardless of the gates */
  isUnchanged: boolean
  /** it arrived during a kill, so the dispatcher does not know */
  isInDoubt: boolean
  /** ms since the start */
  at: number
  /** epoch ms */
  wall: number
  channelId: string
  kind: Dispatch['kind']
  /** alerts that the message names */
  items: readonly DispatchItem[]
  sources: Dispatch['sources']
}

interface Job {
  event: number
  dispatch: Dispatch
  isUncertain: boolean
}

type ResolveOptions = Pick<Alert, 'endReason' | 'endNote'> & { isApplied?: boolean }

export type Fate = 'arrives' | 'fails' | 'never'

/** A dispatcher with fake alerts and receivers. Time passes only with `pass`. */
export function dispatcherFixture(first = settings(), channels: readonly ChannelInfo[] = [email]) {
  let at = 0
  let startedAt = 0
  let wallStep = 0
  let config = first
  let channelInfos = channels
  const open = new Map<string, StoredAlert>()
  const ends = new Map<string, EpisodeEnd>()
  const ledger = new Map<string, NotificationLogEntry>()
  const jobs = new Map<string, Job[]>()
  let events = 0
  const received: Receipt[] = []
  let namedOf = ({ items }: Dispatch) => items.length
  let fateOf = (_channelId: string): Fate => 'arrives'
  const moment = () => ({ now: T0 + at + wallStep, monotonic: at - startedAt })

  const begin = () =>
    new Dispatcher(
      config,
      channelInfos,
      {
        open: [...open.values()],
        log: [...ledger.values()],
        endOf: (episode) => ends.get(episode),
        underWay: [...jobs.values()].flatMap((list) => list.map(({ dispatch }) => dispatch)),
        sent: received
          .filter((one) => one.at > at - hourMs)
          .map(({ channelId, kind, items, sources, at: then }) => ({
            channelId,
            isEscalation: kind === 'escalated',
            alertIds: items.map(({ alert }) => alert.id),
            sources,
            at: T0 + then + wallStep,
          })),
      },
      moment(),
    )
  let dispatcher = begin()

  function keep({ put, remove }: LedgerChanges) {
    for (const entry of put) ledger.set(`${entry.channelId} ${entry.episode}`, entry)
    for (const { channelId, episode } of remove) ledger.delete(`${channelId} ${episode}`)
  }

  const receive = ({ event, isUncertain, dispatch }: Job, isInDoubt = false) => {
    const { channelId, kind, sources } = dispatch
    received.push({
      event,
      isUnchanged: isUncertain,
      isInDoubt,
      at,
      wall: moment().now,
      channelId,
      kind,
      items: dispatch.items.slice(0, namedOf(dispatch)),
      sources,
    })
  }

  /** Sends everything that is due, with the results from `fates`. */
  function work() {
    while (dispatcher.isBusy) dispatcher.step(moment())
    keep(dispatcher.drain())
    for (const { id, enabled } of channelInfos) {
      let list = jobs.get(id) ?? []
      if (!enabled) {
        for (const { dispatch } of list) keep(dispatcher.finish(dispatch, 'kept', moment()))
        jobs.delete(id)
        continue
      }
      for (;;) {
        if (list.length === 0)
          list = dispatcher
            .take(id, moment())
            .map((dispatch) => ({ event: ++events, dispatch, isUncertain: false }))
        jobs.set(id, list)
        const job = list[0]
        if (!job) break
        const items = job.isUncertain ? job.dispatch.items : dispatcher.review(job.dispatch, moment())
        job.dispatch = { ...job.dispatch, items }
        const fate = items.length === 0 ? 'cancelled' : fateOf(id)
        if (fate === 'fails') break
        if (fate === 'arrives') receive(job)
        const ending = fate === 'arrives' ? 'delivered' : fate === 'never' ? 'givenUp' : 'kept'
        list = list.slice(1)
        jobs.set(id, list)
        const named = ending === 'delivered' ? namedOf(job.dispatch) : items.length
        const parts = [items.slice(0, named), items.slice(named)] as const
        keep(dispatcher.finish({ ...job.dispatch, items: parts[0] }, ending, moment()))
        if (parts[1].length > 0)
          keep(dispatcher.finish({ ...job.dispatch, items: parts[1] }, 'unnamed', moment()))
      }
    }
    keep(dispatcher.drain())
  }

  function applyChange(what: AlertChange['what'], stored: StoredAlert) {
    dispatcher.apply([{ what, stored, at: moment().now }], moment())
    work()
  }

  const stored = (alert: Alert, episode: string, source = 'main'): StoredAlert => ({
    alert,
    episode,
    kind: 'guests',
    record: alert.resourceId,
    source,
    rule: alert.type,
    trigger: alert.threshold,
    steps: [],
  })

  return {
    received,
    ledger,
    open,
    moment,
    get dispatcher() {
      return dispatcher
    },
    get config() {
      return config
    },
    get at() {
      return at
    },
    /** `isApplied: false`: stored, but killed before the dispatcher received it. */
    raise(
      change: Partial<Alert> = {},
      { isApplied = true, episode = `${change.id ?? 'guest-100-cpu'} ${at}` } = {},
    ) {
      const alert = anAlert({ startTime: new Date(moment().now).toISOString(), ...change })
      open.set(episode, stored(alert, episode))
      if (isApplied) applyChange('raised', open.get(episode)!)
      return episode
    },
    /** Several alerts in one tick. */
    raiseAll(alerts: readonly Partial<Alert>[], source = 'main') {
      const startTime = new Date(moment().now).toISOString()
      const made = alerts.map((alert, n) =>
        stored(anAlert({ startTime, ...alert }), `${source} ${at} ${n}`, source),
      )
      for (const one of made) open.set(one.episode, one)
      dispatcher.apply(
        made.map((one) => ({ what: 'raised', stored: one, at: moment().now })),
        moment(),
      )
      work()
      return made.map(({ episode }) => episode)
    },
    change(episode: string, what: AlertChange['what'], change: Partial<Alert>, flappingUntil?: number) {
      const before = open.get(episode)!
      const { flappingUntil: _, ...rest } = before
      const next = { ...rest, alert: { ...before.alert, ...change } }
      open.set(episode, flappingUntil === undefined ? next : { ...next, flappingUntil })
      applyChange(what, open.get(episode)!)
    },
    resolve(episode: string, { isApplied = true, ...end }: ResolveOptions = {}) {
      const before = open.get(episode)!
      const one = { ...before, alert: { ...before.alert, ...end } }
      open.delete(episode)
      ends.set(episode, { at: moment().now, reason: end.endReason, note: end.endNote })
      if (isApplied) applyChange('resolved', one)
      return one
    },
    reopen(one: StoredAlert) {
      open.set(one.episode, one)
      ends.delete(one.episode)
      applyChange('reopened', one)
    },
    configure(next: AlertConfig) {
      config = next
      dispatcher.configure(config)
      work()
    },
    setChannels(next: readonly ChannelInfo[]) {
      channelInfos = next
      keep(dispatcher.setChannels(channelInfos))
      work()
    },
    /** Sets how many of its alerts a message names. */
    names(next: typeof namedOf) {
      namedOf = next
    },
    /** Sets the results of future messages. */
    fates(next: typeof fateOf) {
      fateOf = next
      work()
    },
    pass(ms: number) {
      const until = at + ms
      for (;;) {
        const due = dispatcher.nextDue(moment().monotonic)
        if (due === undefined || due + startedAt > until) break
        at = Math.max(at, due + startedAt)
        dispatcher.due(moment())
        work()
      }
      at = until
      dispatcher.due(moment())
      work()
    },
    setWall(ms: number) {
      wallStep += ms
      dispatcher.due(moment())
      work()
    },
    /** Kills the process and restarts it. `arrived`: messages in transit had arrived. */
    kill({ arrived = false } = {}) {
      for (const list of jobs.values())
        for (const job of list) {
          if (list[0] !== job) continue
          if (arrived && !job.isUncertain) receive(job, true)
          job.isUncertain = true
        }
      startedAt = at
      dispatcher = begin()
      work()
    },
    work,
  }
}
