import { type DockerContainer, PlainState } from '@pulse/contract'
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { meta, now, tables } from './fixtures-plain.ts'
import { toPlain } from './plain.ts'

test('[facts/collection 4.6] a container host has its documented fields: hidden or not, its command, and times in milliseconds', () => {
  const lastSeen = now - 130_000
  const command = {
    id: 'c',
    type: 'stop',
    status: 'failed',
    createdAt: 1,
    updatedAt: 2,
    failureReason: 'no',
  } as const
  const host = aDockerHost({
    status: 'offline',
    startedAt: now - 86_400_000,
    staleSince: lastSeen,
    machineId: '0f3c',
    tokenId: 't1',
    tokenName: 'Docker host 1',
    tokenHint: 'ab12cd…ef34',
    hidden: true,
    pendingUninstall: true,
    command,
  })
  const running = aDockerContainer({ startedAt: now - 7_200_000, health: 'healthy', staleSince: lastSeen })
  const ended = aDockerContainer({ name: 'job', state: 'exited', startedAt: 5, finishedAt: 7 })
  const plain = toPlain(
    tables({
      sources: { dock1: { name: 'docker-dock1', kind: 'docker', health: 'error', lastSeen } },
      dockerHosts: { dock1: host },
      dockerContainers: { a: running, b: ended },
    }),
    meta,
    now,
  )
  expect(PlainState.parse(plain)).toEqual(plain)
  const { source: _source, staleSince: _stale, startedAt: _start, ...rest } = host
  const bare = ({ source: _of, staleSince: _since, host: _on, ...container }: DockerContainer) => container
  expect(plain.dockerHosts).toEqual([
    {
      ...rest,
      uptimeSeconds: 86_400,
      lastSeen,
      tokenLastUsedAt: lastSeen,
      containers: [
        { ...bare(running), uptimeSeconds: 7_200 },
        { ...bare(ended), uptimeSeconds: 0 },
      ],
    },
  ])
  expect(plain.connectionHealth).toEqual({ 'docker-dock1': false })
  const documented = Object.keys(PlainState.shape.dockerHosts.def.element.shape)
  for (const figure of ['cpuPercent', 'usedMemoryBytes', 'runningContainers'])
    expect(documented).not.toContain(figure)
})
