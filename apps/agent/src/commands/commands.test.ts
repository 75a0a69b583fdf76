import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLog, aServer, type Asked, type Reply } from '../fixtures.ts'
import type { Autostart } from './autostart.ts'
import { Commands } from './commands.ts'

async function someCommands({ reply = {}, disable }: { reply?: Reply; disable?: () => Promise<void> } = {}) {
  const world = { reply, done: [] as string[] }
  const server = await aServer(() => world.reply)
  const autostart: Autostart = {
    disable: async () => {
      world.done.push('disabled')
      await disable?.()
    },
    letEnd: async () => void world.done.push('let end'),
  }
  const clock = fakeClock()
  const { log, lines } = aLog()
  const finish = () => void world.done.push('finished')
  const commands = new Commands({ autostart, clock, log, timeoutMs: 60_000, finish })
  const command = (id: string, type = 'stop') => ({ id, type, target: server.target, hostId: 'me' })
  return { world, commands, command, clock, lines, asked: server.asked }
}

const statusOf = ({ path, body }: Asked) => [path, (JSON.parse(String(body)) as { status: string }).status]

test('[facts 3.6] stop: acknowledged, start at boot disabled, completed, ended', async () => {
  const { world, commands, command, asked } = await someCommands()
  await commands.handle(command('id-1'))
  expect(asked.map(statusOf)).toEqual([
    ['/api/agents/docker/commands/id-1/ack', 'acknowledged'],
    ['/api/agents/docker/commands/id-1/ack', 'completed'],
  ])
  expect(JSON.parse(String(asked[1]!.body))).toEqual({
    hostId: 'me',
    status: 'completed',
    message: 'Agent shutting down',
  })
  expect(world.done).toEqual(['disabled', 'let end', 'finished'])
})

test('[facts 3.6] a repeated command is executed once, and its result is reported again', async () => {
  const { world, commands, command, asked } = await someCommands({
    disable: () => Promise.reject(new Error('no right')),
  })
  await Promise.all([commands.handle(command('id-1')), commands.handle(command('id-1'))])
  await commands.handle(command('id-1'))
  expect(world.done).toEqual(['disabled'])
  expect(asked.map((one) => statusOf(one)[1])).toEqual(['acknowledged', 'failed', 'failed'])
})

test('an agent whose start at boot cannot be disabled reports that and keeps running', async () => {
  const { world, commands, command, asked, lines } = await someCommands({
    disable: () =>
      Promise.reject(new Error('systemctl disable pulse-docker-agent.service failed: Access denied')),
  })
  await commands.handle(command('id-1'))
  expect(JSON.parse(String(asked[1]!.body))).toMatchObject({
    status: 'failed',
    message: 'systemctl disable pulse-docker-agent.service failed: Access denied',
  })
  expect(world.done).toEqual(['disabled'])
  expect(lines.at(-1)).toContain('Access denied')
})

test('a result that the server cannot receive is sent four times, then the agent exits without', async () => {
  const { world, commands, command, clock, asked } = await someCommands({ reply: { status: 502 } })
  const done = commands.handle(command('id-1'))
  for (const calls of [2, 3, 4]) {
    await expect.poll(() => [asked.length, clock.pending()]).toEqual([calls, 1])
    await clock.advance(3_000)
  }
  await done
  expect(asked.map((one) => statusOf(one)[1])).toEqual([
    'acknowledged',
    ...Array<string>(4).fill('completed'),
  ])
  expect(world.done.at(-1)).toBe('finished')
})

test('an unknown command is refused', async () => {
  const { world, commands, command, asked } = await someCommands()
  await commands.handle(command('../../x', 'format-disk'))
  expect(asked.map(statusOf)).toEqual([['/api/agents/docker/commands/..%2F..%2Fx/ack', 'failed']])
  expect(world.done).toEqual([])
})
