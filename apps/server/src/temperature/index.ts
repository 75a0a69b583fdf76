import {
  type Diagnostics,
  getProxyPublicKey,
  getTemperatureNodes,
  getTemperatureScript,
  postRegisterNodes,
  postVerifyTemperatureSsh,
  putTemperatureNode,
} from '@pulse/contract'
import { counting } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'
import { temperatureStore } from '../db/temperature.ts'
import { RawReply, route } from '../http/route.ts'
import type { OnSignal } from '../signal.ts'
import { temperaturesPart } from './export-part.ts'
import { fingerprintOf } from './host-keys.ts'
import { isAddressRange, temperatureFunction, temperatureScript } from './setup.ts'
import { createTemperatures, type TemperatureArea, type TemperatureEdges } from './temperatures.ts'

export interface TemperatureAreaEdges extends Omit<
  TemperatureEdges,
  'store' | 'connections' | 'stateNodes' | 'record' | 'fixed'
> {
  config: { temperatures: TemperatureEdges['fixed'] }
  db: Database
  audit: Pick<Audit, 'record'>
  connections: { list: TemperatureEdges['connections']; onChange: OnSignal }
  state: TemperatureEdges['state'] & { tables: { nodes: { values: TemperatureEdges['stateNodes'] } } }
}

export interface Temperatures extends Area, Led {
  stop(): Promise<void>
  /** for a script that sets up a host; creates the SSH key if there is none */
  shellFunction(): Promise<string>
}

/** as started by the process that leads */
type Led = Omit<TemperatureArea, 'start'>

/** The temperatures of nodes, which the PVE API does not report. */
export function temperatureArea({
  config,
  db,
  connections,
  state,
  audit,
  ...edges
}: TemperatureAreaEdges): Temperatures {
  const fixed = config.temperatures
  const { start, ...temperature } = createTemperatures({
    ...edges,
    state,
    fixed,
    record: audit.record,
    store: temperatureStore(db),
    connections: connections.list,
    stateNodes: () => state.tables.nodes.values(),
  })
  connections.onChange(temperature.connectionsChanged)
  return {
    ...temperature,
    name: 'the temperatures',
    isLed: true,
    lead: start,
    routes: temperatureRoutes(temperature),
    exportParts: [temperaturesPart(db, edges.clock.now, fixed)],
    caches: [{ ...temperature, tables: ['temperature_nodes'] }],
    diagnose: () => diagnoseTemperatures(temperature),
    shellFunction: async () => temperatureFunction(await temperature.setup([])),
  }
}

/** The state of the temperature readings. The rest of the block is for older clients. */
export function diagnoseTemperatures(
  temperature: Pick<TemperatureArea, 'nodes' | 'publicKey'>,
): Pick<Diagnostics, 'temperatureProxy' | 'temperatures'> {
  const temperatures = temperature.nodes()
  const publicKey = temperature.publicKey()
  const on = temperatures.filter(({ enabled }) => enabled)
  const dark = on.filter(({ status }) => status !== 'ok').length
  return {
    temperatureProxy: {
      legacySSHDetected: false,
      recommendProxyUpgrade: false,
      socketFound: false,
      proxyReachable: false,
      legacySshKeyCount: 0,
      ...(publicKey !== undefined && { proxyPublicKeySha256: fingerprintOf(publicKey) }),
      notes: [
        'There is no sensor proxy: temperatures are read over SSH with a restricted key.',
        ...(on.length === 0 ? ['Temperature reading is not enabled for any node.'] : []),
        ...(dark > 0
          ? [`${dark} of ${counting(on.length, 'node')} with temperatures switched on cannot be read.`]
          : []),
      ],
    },
    temperatures,
  }
}

const text = (body: string, headers: Record<string, string> = {}) =>
  new RawReply(Buffer.from(body), { 'content-type': 'text/plain; charset=utf-8', ...headers })

function keyOf(temperature: Led): string {
  const key = temperature.publicKey()
  if (key === undefined) {
    throw new AppError('not_found', 'There is no key: temperature reading is not enabled for any node.')
  }
  return key
}

const temperatureRoutes = (temperature: Led) => [
  route(getTemperatureNodes, () => ({ nodes: temperature.nodes() })),
  route(putTemperatureNode, ({ params: { connectionId, node }, body, note }) => {
    note({ target: node, details: body.enabled ? 'on' : 'off' })
    return temperature.change(connectionId, node, body)
  }),
  route(getTemperatureScript, async ({ query }) => {
    keyOf(temperature)
    const from = (query.from ?? '').split(',').filter((range) => range !== '')
    const wrong = from.find((range) => !isAddressRange(range))
    if (wrong !== undefined) {
      const problem = 'Give addresses or subnets, separated by commas.'
      throw new AppError('validation_failed', problem, { details: { from: problem } })
    }
    const fileName = 'pulse-temperature-setup.sh'
    return text(temperatureScript(await temperature.setup(from)), {
      'content-disposition': `attachment; filename="${fileName}"`,
    })
  }),
  route(postRegisterNodes, async ({ note }) => {
    const reply = await temperature.check()
    note({ target: reply.nodes.map(({ name }) => name).join(' '), details: 'checked' })
    return reply
  }),
  route(getProxyPublicKey, () => text(`${keyOf(temperature)}\n`)),
  route(postVerifyTemperatureSsh, async ({ body, note }) => {
    const names = body.nodes.split(/\s+/).filter((name) => name !== '')
    const { nodes } = await temperature.check(names)
    note({ target: nodes.map(({ name }) => name).join(' '), details: 'checked' })
    const lines = nodes.map(({ name, error }) => error ?? `${name}: ready`)
    const others = names.length - names.filter((name) => nodes.some((node) => node.name === name)).length
    // Unknown names are only counted, never repeated, because they may contain any text.
    if (others > 0) lines.push(`${others} of the names given: not switched on, or not a node of a connection`)
    return text(lines.map((line) => `${line}\n`).join(''))
  }),
]
