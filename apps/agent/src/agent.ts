import type { Clock } from '@pulse/domain'
import { startBeat } from './ticker.ts'
import { Collector } from './collect/collector.ts'
import { type Limits, limits as usualLimits } from './collect/limits.ts'
import { type Machine, readMachine } from './collect/machine.ts'
import type { Autostart } from './commands/autostart.ts'
import { Commands } from './commands/commands.ts'
import { Outbox } from './deliver/outbox.ts'
import type { EngineAddress } from './engine/address.ts'
import { EngineClient } from './engine/client.ts'
import { type Log, said } from './log.ts'
import type { Settings } from './settings/settings.ts'
import { version } from './version.ts'

export interface AgentParts {
  settings: Settings
  engine: EngineAddress
  clock: Clock
  log: Log
  autostart: Autostart
  /** the process is to end: 0 for good, anything else to be started again */
  end: (code: number) => void
  /** a server took a report */
  healthy?: () => void
  /** nothing is done until the next report */
  idle?: () => void
  random?: () => number
  limits?: Limits
  machine?: Machine
}

export interface Agent {
  /** Whether the first server is one of our kind, which shows with the first report it takes. */
  isOurs(): boolean
  /** Reports no more. */
  stop(): void
}

/** Of calls to a server. */
const timeoutMs = 15_000
/** By then a report is delivered, unless the server is away. */
const idleAfterMs = 2_000
/** No cycle lasts that long: what hangs here hangs for good. */
const hungMs = 5 * 60_000

/** Collects on a beat, and hands what was collected to the outbox of every server. */
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

  /** Without a list of containers there is no report: the servers go on with what they have until they miss it. */
  async function run(): Promise<void> {
    try {
      const report = await collector.collect()
      if (trouble) log.info('the engine is readable again')
      trouble = ''
      for (const outbox of outboxes) outbox.offer(report)
      if (idle && settings.intervalMs > 2 * idleAfterMs) clock.after(idleAfterMs, idle)
    } catch (error) {
      if (said(error) !== trouble) log.error(`no report sent: ${said(error)}`)
      trouble = said(error)
    }
  }

  const hung = () => {
    log.error(
      'the engine did not respond for five minutes: the agent exits, so that its service manager restarts it',
    )
    end(1)
  }
  const stopBeat = startBeat({ clock, everyMs: settings.intervalMs, limitMs: hungMs, run, hung })
  return {
    isOurs: () => outboxes[0]?.isOurs ?? false,
    stop() {
      stopBeat()
      for (const outbox of outboxes) outbox.stop()
    },
  }
}
