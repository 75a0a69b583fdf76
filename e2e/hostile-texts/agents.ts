import { expect } from 'vitest'
import type { Estate } from '../estate.ts'

interface ReportedTexts {
  /** the host with all containers, whose agent could not be stopped */
  stopped: string
  /** a host with a clone that reports under the same identity */
  doubled: string
  clone: string
  /** why the agent could not be stopped */
  failure: string
}

/** Every text that an agent reports about hosts and containers. */
export async function reportTexts(
  call: Estate['call'],
  texts: readonly string[],
  { stopped, doubled, clone, failure }: ReportedTexts,
): Promise<void> {
  const report = (id: string, text: string, containers: object[] = []) =>
    call('POST', '/api/agents/docker/report', {
      agent: { id, version: text, intervalSeconds: 600 },
      host: {
        hostname: text,
        name: text,
        machineId: text,
        os: text,
        kernelVersion: text,
        architecture: text,
        dockerVersion: text,
        engine: text,
      },
      containers,
    })
  await report('stopped', stopped, texts.map(aContainer))
  await report('doubled', doubled)
  await expect(report('doubled', clone)).rejects.toThrow(' 409 ')
  const { command } = (await call('DELETE', '/api/agents/docker/hosts/stopped')) as {
    command: { id: string }
  }
  await call('POST', `/api/agents/docker/commands/${command.id}/ack`, {
    hostId: 'stopped',
    status: 'failed',
    message: failure,
  })
}

/** Every second one runs, so that its health shows. */
const aContainer = (text: string, at: number) => ({
  id: `${at}`.padEnd(64, '0'),
  name: text,
  image: text,
  state: at % 2 ? 'running' : text,
  status: text,
  health: text,
  createdAt: '2026-01-01T10:00:00Z',
  ports: [{ privatePort: 80, publicPort: 80, protocol: 'tcp', ip: text }],
  labels: { [text]: text, 'com.docker.compose.project': text, 'com.docker.compose.service': text },
  networks: [{ name: text, ipv4: text, ipv6: text }],
  unreadable: text,
})
