import { createDockerAgents, type DockerAgents, drawDockerHosts } from '@pulse/lab'
import type { FleetAnswers, FleetOrder } from './agent-fleet.ts'

// A process of agents: reports until its parent exits.

let agents: DockerAgents | undefined
let answers: FleetAnswers

function forget(): FleetAnswers {
  const taken = answers
  answers = { ms: [], bytes: 0, statuses: {} }
  return taken
}

function begin({ hosts, after, containers, ...where }: Extract<FleetOrder, { begin: unknown }>['begin']) {
  const plan = { hosts, after, containers, agents: 'mixed', seed: 1, startedAtMs: Date.now() } as const
  agents = createDockerAgents(drawDockerHosts(plan), Date.now)
  agents.onSent(({ status, ms, bytes }) => {
    const key = String(status ?? 'none')
    answers.statuses[key] = (answers.statuses[key] ?? 0) + 1
    answers.bytes += bytes
    if (ms !== undefined) answers.ms.push(ms)
  })
  agents.reportTo({ ...where, spread: true })
}

forget()
process.on('message', async (order: FleetOrder) => {
  if ('begin' in order) begin(order.begin)
  if ('atOnce' in order) {
    forget()
    await agents!.send()
  }
  process.send!(forget())
})
process.once('disconnect', () => agents?.close())
