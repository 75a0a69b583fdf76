import { StartupError } from '../startup-error.ts'
import { isHostName } from './names.ts'

/** A temperature switch that only the machine's operator changes, and its origin: a variable or a file. */
export interface FixedSwitch {
  /** the connection's name */
  instance: string
  node: string
  enabled: boolean
  /** the port of the node's SSH service; undefined leaves it unchanged */
  port: number | undefined
  by: string
}

export interface FixedSwitches {
  readonly all: readonly FixedSwitch[]
  of(instance: string, node: string): FixedSwitch | undefined
}

const variable = 'TEMPERATURE_NODES'
const mostSwitches = 1_000

/** If two lists name one node, the later one counts. */
export function fixedSwitches(...lists: (readonly FixedSwitch[])[]): FixedSwitches {
  const byNode = new Map(lists.flat().map((one) => [keyOf(one.instance, one.node), one]))
  return {
    all: [...byNode.values()],
    of: (instance, node) => byNode.get(keyOf(instance, node)),
  }
}

export const noSwitches: FixedSwitches = fixedSwitches()

const keyOf = (instance: string, node: string) => `${instance.toLowerCase()}\n${node}`

/** `true`, `false`, or the port of an SSH service that is not at 22. */
export const toSwitch = (value: boolean | number): Pick<FixedSwitch, 'enabled' | 'port'> =>
  typeof value === 'number' ? { enabled: true, port: value } : { enabled: value, port: undefined }

/** Parses `main/pve1, main/pve2=off, lab/pve3=2222`. Throws StartupError for invalid entries. */
export function readTemperatureNodes(env: NodeJS.ProcessEnv): FixedSwitch[] {
  const entries = (env[variable] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length > mostSwitches) {
    throw new StartupError(
      `${variable} names ${entries.length} nodes.`,
      `Name ${mostSwitches} nodes at the most.`,
    )
  }
  return entries.map((entry) => {
    const slash = entry.lastIndexOf('/')
    const [node = '', state = 'on', ...rest] = entry.slice(slash + 1).split('=')
    const value = valueOf(state.toLowerCase())
    if (slash < 1 || !isHostName(node) || value === undefined || rest.length > 0) {
      throw new StartupError(
        `${variable} holds "${entry}".`,
        'Use entries such as main/pve1, main/pve2=off or main/pve3=2222, separated by commas: connection/node, and off or a port.',
      )
    }
    return { instance: entry.slice(0, slash).trim(), node, by: variable, ...toSwitch(value) }
  })
}

function valueOf(text: string): boolean | number | undefined {
  if (['on', 'true'].includes(text)) return true
  if (['off', 'false'].includes(text)) return false
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}
