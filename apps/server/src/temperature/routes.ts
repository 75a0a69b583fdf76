import {
  getProxyPublicKey,
  getTemperatureNodes,
  getTemperatureScript,
  postRegisterNodes,
  postVerifyTemperatureSsh,
  putTemperatureNode,
} from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { TemperatureArea } from './temperatures.ts'
import { isAddressRange, temperatureScript } from './setup.ts'
import { RawReply, route } from '../http/route.ts'

const text = (body: string, headers: Record<string, string> = {}) =>
  new RawReply(Buffer.from(body), { 'content-type': 'text/plain; charset=utf-8', ...headers })

function keyOf(temperature: TemperatureArea): string {
  const key = temperature.publicKey()
  if (key === undefined) {
    throw new AppError('not_found', 'There is no key: temperature reading is not enabled for any node.')
  }
  return key
}

export const temperatureRoutes = (temperature: TemperatureArea) => [
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
    // What is not switched on is counted and not repeated: it may be anything.
    if (others > 0) lines.push(`${others} of the names given: not switched on, or not a node of a connection`)
    return text(lines.map((line) => `${line}\n`).join(''))
  }),
]
