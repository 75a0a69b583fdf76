import type { Clock } from '@pulse/domain'
import { startTicker } from './ticker.ts'
import { Collector, type Limits, limits as usualLimits } from './collect/collector.ts'
import { type Machine, readMachine } from './collect/host.ts'
import type { Autostart } from './commands/autostart.ts'
import { Commands } from './commands/commands.ts'
import { Outbox } from './deliver/outbox.ts'
import type { EngineAddress } from './engine/address.ts'
import { EngineClient } from './engine/client.ts'
import { type Log, errorText } from './log.ts'
import type { Settings } from './settings/settings.ts'
import { version } from './version.ts'

export interface AgentParts {
  settings: Settings
  engine: EngineAddress
  clock: Clock
  log: Log
  autostart: Autostart
  /** ends the process: code 0 ends it for good; after any other code the service manager restarts it */
  end: (code: number) => void
  /** called when a server has accepted a report */
  healthy?: () => void
  /** called when there is no work until the next report */
  idle?: () => void
  random?: () => number
  limits?: Limits
  machine?: Machine
}

export interface Agent {
  /** Whether the first server is a Pulse server. True once it has accepted a report. */
  isOurs(): boolean
  stop(): void
}

/** for requests to a server */
const timeoutMs = 15_000
/** A report is delivered within this time, unless the server is unreachable. */
const idleAfterMs = 2_000
/** Far above any real cycle; a longer one would never end. */
const hungMs = 5 * 60_000

/** Collects a report at each interval and hands it to the outbox of every server. */
export function startAgent(parts: AgentParts): Agent {
  const { settings, clock, log, autostart, end, idle, healthy } = parts
  const { limits = usualLimits, machine = readMachine(), random = Math.random } = parts
  const collector = new Collector({
    engine: new EngineClient(parts.engine),
    machine,
    clock,
    log,
    limits,
    settings: { ...settings, version },
  })
  const commands = new Commands({ autostart, clock, log, timeoutMs, finish: () => end(0) })
  const outboxes = settings.targets.map((target) => {
    return new Outbox({
      target,
      clock,
      log,
      random,
      timeoutMs,
      onTaken: () => healthy?.(),
      onCommand: (command) => void commands.handle(command),
    })
  })
  let trouble = ''

  /** Without a list of containers there is no report. Servers keep the last one until the host is overdue. */
  async function run(): Promise<void> {
    try {
      const report = await collector.collect()
      if (trouble) log.info('the engine is readable again')
      trouble = ''
      for (const outbox of outboxes) outbox.offer(report)
      if (idle && settings.intervalMs > 2 * idleAfterMs) clock.after(idleAfterMs, idle)
    } catch (error) {
      if (errorText(error) !== trouble) log.error(`no report sent: ${errorText(error)}`)
      trouble = errorText(error)
    }
  }

  const hung = () => {
    log.error(
      'the engine did not respond for five minutes: the agent exits, so that its service manager restarts it',
    )
    end(1)
  }
  const stopTicker = startTicker({ clock, intervalMs: settings.intervalMs, limitMs: hungMs, run, hung })
  return {
    isOurs: () => outboxes[0]?.isOurs ?? false,
    stop() {
      stopTicker()
      for (const outbox of outboxes) outbox.stop()
    },
  }
}
