import { AdaptiveInterval } from '../../polling/adaptive.ts'
import { backoffMs, hostBackoff } from '../../timing/backoff.ts'
import { createDueTimer } from '../../timing/due-timer.ts'
import { graceMs } from '../../timing/suspend-detector.ts'
import { runYielding } from '../../timing/yield.ts'
import { limitsWithin } from '../proxmox/call.ts'
import { SourceError } from '../source-error.ts'
import { freshForListing } from './age.ts'
import { OTHER_CALLS } from '../../polling/call-budget.ts'
import { type ClusterContext, LISTING, LISTING_MS } from './context.ts'
import type { Part, PartRun } from './part.ts'
import { takeResources } from './resources.ts'

const MB = 1024 * 1024
/** About 450 bytes per guest. More than 13,000 guests are accepted at the second attempt. */
const resourcesBytes = { first: 6 * MB, most: 16 * MB }
/** Added to the listing's interval, this shows a source as unreachable within 15 s. */
const overdueMs = 4_500
/** A timer this late says nothing about the source. */
const stoppedMs = 1_000
/** A timer may be early by this much. */
const earlyMs = 250
const path = '/cluster/resources'

/** Nodes, guests and storages, with one call for all of them. */
export const listing: Part = {
  name: LISTING,
  calls: { perMinute: 6 },
  callsUnlisted: { perMinute: 4 },
  kinds: ['nodes', 'guests'],
  rights: [
    {
      path: '/nodes',
      rights: ['Sys.Audit'],
      called: 'Sys.Audit',
      dark: 'node figures stay unknown',
      silent: true,
    },
    {
      path: '/vms',
      rights: ['VM.Audit'],
      called: 'VM.Audit',
      dark: 'guests will not appear',
      silent: true,
    },
  ],
  start,
}

function start(context: ClusterContext): PartRun {
  const { clock, health, nodes, guests } = context
  const shares = context.budget.source
  const adaptive = new AdaptiveInterval()
  let maxBytes = resourcesBytes.first
  let adaptiveMs = LISTING_MS
  let listedAt: number | undefined
  let failedInRow = 0
  let turnAt = -Infinity

  /** Regular polls have their own calls. Extra polls use others, so that no regular one is missing. */
  function pay(): number {
    const now = clock.monotonic()
    const leftMs = turnAt + LISTING_MS - now
    if (leftMs > earlyMs) return shares.take(OTHER_CALLS) === 0 ? 0 : leftMs
    const waitMs = shares.take(LISTING)
    if (waitMs === 0) turnAt = now
    return waitMs
  }

  /** PVE answers from memory. A missing answer is reported before the call times out. */
  async function askInTime(signal: AbortSignal) {
    const ms = Math.max(overdueMs, 3 * (context.gateway.usualMs(path) ?? 0))
    let dueAt: number | undefined = clock.monotonic() + ms
    const limit = createDueTimer({
      clock,
      dueAt: () => dueAt,
      run() {
        const now = clock.monotonic()
        // The process was stopped: the answer may have arrived meanwhile, and is read in a moment.
        const wasStopped = now - dueAt! > stoppedMs
        dueAt = wasStopped ? now + graceMs : undefined
        if (wasStopped) return
        const text = `no answer to ${path} for ${Math.round(ms / 1000)} s`
        health.overdue(LISTING, new SourceError('timeout', text))
        context.publish(0)
      },
      onError: (err) => context.log.error({ err }, 'cannot report a missing answer'),
    })
    limit.reschedule()
    context.load.underWay++
    const limits = { ...limitsWithin(context.pace().timeoutMs), maxBytes }
    const hedges = !context.isRefused() // PVE delays its answer to a refused account by three seconds
    return context.gateway.list(path, takeResources, { signal, limits, hedges }).finally(() => {
      context.load.underWay--
      limit.stop()
    })
  }

  function nextInterval(at: number): number {
    const bounds = context.pace().adaptive
    const ageMs = listedAt === undefined ? undefined : at - listedAt
    listedAt = at
    if (bounds) return adaptive.next(bounds, { ageMs, underWay: context.load.underWay + 1 })
    adaptive.reset()
    return LISTING_MS
  }

  async function run(signal: AbortSignal): Promise<void> {
    const startedAt = clock.monotonic()
    const { data: resources, at } = await askInTime(signal)
    if (resources.nodes.length === 0)
      throw new SourceError('bad_answer', `${path} names no node: the listing is not complete`)
    adaptiveMs = nextInterval(at)
    const freshForMs = freshForListing(adaptiveMs)
    nodes.list(resources.nodes, at, freshForMs)
    await runYielding(guests.listing(resources.guests, at, undefined, freshForMs))
    // A single failure affects no other part, and the next failure may need the calls.
    const isBack = failedInRow > 1
    failedInRow = 0
    health.answered(LISTING, at)
    health.listed(at, freshForMs)
    context.follow({ ...resources, at, freshForMs })
    if (isBack) context.wake('back')
    context.tally.cycled(clock.monotonic() - startedAt)
    context.publish(0)
  }

  return {
    loops: [
      {
        name: LISTING,
        // not faster than the budget allows, or all calls would come early in the minute
        intervalMs: () => Math.max(adaptiveMs, LISTING_MS),
        wakes: ['found', 'changed'],
        isProbe: true,
        pay,
        run,
        failed(error, failures, report) {
          failedInRow = failures
          // Several hosts that send endlessly must not fill the memory at once.
          if (error.code === 'too_large') maxBytes = Math.min(2 * maxBytes, resourcesBytes.most)
          const wasByNode = context.listsByNode()
          const pauseMs = report()
          if (!wasByNode && context.listsByNode()) context.wake('unlisted')
          // A failed poll is repeated before its records become stale.
          return pauseMs ?? (failures === 1 ? backoffMs(hostBackoff, 1) / 2 : undefined)
        },
      },
    ],
    map: (context, now) => guests.map(context, now),
    records: (context, now) => ({
      nodes: nodes.records(context, now),
      guests: guests.records(context, now),
    }),
  }
}
