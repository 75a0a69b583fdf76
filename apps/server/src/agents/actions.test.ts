import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { aYard, type Yard } from './fixtures.ts'
import { aReport } from '../docker/fixtures.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import type { Sender } from './intake.ts'

let yard: Yard
let sender: Sender
beforeAll(async () => {
  yard = await aYard()
})
beforeEach(async () => {
  await yard.clear()
  sender = await yard.sender()
  await report()
})
afterAll(() => yard.end())

const id = 'ABCD:EFGH'
const report = () => yard.intake.report(aReport(), sender)
const stop = async () => (await yard.actions.remove(id, 'usual')).command!
const command = () => yard.host()?.command
const answer = (commandId: string, status?: unknown, message?: string, hostId = id, by = sender) =>
  yard.intake.acknowledge(commandId, { hostId, status, message }, by)
const refusal = (code: string) => expect.objectContaining({ code })

describe('[facts/collection 3.6] a stop', () => {
  test('of a host that is online is queued, and goes out with its next report', async () => {
    const queued = await stop()
    expect(queued).toMatchObject({ type: 'stop', status: 'queued', expiresAt: queued.createdAt + 600_000 })
    expect(yard.host()).toMatchObject({ pendingUninstall: true, command: { status: 'queued' } })
    expect((await report()).commands).toEqual([{ id: queued.id, type: 'stop' }])
    expect(command()).toMatchObject({ status: 'dispatched' })
  })

  test('is said again until the agent tells how it went: either answer may be lost', async () => {
    const { id: commandId } = await stop()
    for (let n = 0; n < 2; n++) expect((await report()).commands).toEqual([{ id: commandId, type: 'stop' }])
    await answer(commandId, 'acknowledged')
    expect(command()).toMatchObject({ status: 'acknowledged', acknowledgedAt: expect.any(Number) })
    expect((await report()).commands).toEqual([{ id: commandId, type: 'stop' }])
    await answer(commandId, 'failed', 'no')
    expect((await report()).commands).toBeUndefined()
  })

  test('that was carried out removes the host, which may not come back for a day', async () => {
    const { id: commandId } = await stop()
    await report()
    const { command: done } = await answer(commandId, 'completed', 'Agent shutting down')
    expect(done).toMatchObject({ status: 'completed', message: 'Agent shutting down' })
    expect(yard.host()).toBeUndefined()
    expect(yard.state.tables.dockerContainers.size).toBe(0)
    expect(yard.state.tables.sources.size).toBe(0)
    expect(yard.actions.removed()).toMatchObject([{ hostId: id, name: 'dock1' }])
    await expect(report()).rejects.toEqual(refusal('docker_host_removed'))
    await yard.ground.clock.advance(86_400_000)
    await report()
    expect(yard.host()).toBeDefined()
  })

  test('that failed says why, and can be given again', async () => {
    const { id: commandId } = await stop()
    await answer(commandId, 'error', 'systemctl: permission denied')
    expect(yard.host()).toMatchObject({
      pendingUninstall: false,
      command: { status: 'failed', failureReason: 'systemctl: permission denied' },
    })
    expect((await stop()).id).not.toBe(commandId)
  })

  test('is not given twice', async () => {
    await stop()
    await expect(stop()).rejects.toEqual(refusal('docker_command_failed'))
  })

  test('expires after ten minutes, whether the host reports or not', async () => {
    const { id: commandId } = await stop()
    await yard.ground.clock.advance(610_000)
    expect(yard.host()).toMatchObject({ pendingUninstall: false, command: { status: 'expired' } })
    expect((await report()).commands).toBeUndefined()
    await expect(answer(commandId, 'completed')).rejects.toEqual(refusal('docker_command_ack_failed'))
  })

  test('survives an end and a start, and lives no longer for it', async () => {
    const { id: commandId } = await stop()
    await yard.ground.clock.advance(300_000)
    await yard.restart()
    expect((await report()).commands).toEqual([{ id: commandId, type: 'stop' }])
    await yard.ground.clock.advance(310_000)
    expect(command()).toMatchObject({ status: 'expired' })
  })
})

describe('[facts/collection 3.3] an acknowledgement', () => {
  test.each([
    [undefined, 'acknowledged'],
    ['', 'acknowledged'],
    ['ack', 'acknowledged'],
    ['success', 'completed'],
    ['complete', 'completed'],
    [' Failed ', 'failed'],
    ['fail', 'failed'],
    ['error', 'failed'],
  ])('%j is %s', async (status, meant) => {
    const { id: commandId } = await stop()
    expect((await answer(commandId, status)).command.status).toBe(meant)
  })

  test.each(['done', 'constructor', 7, null, {}])('%j is none', async (status) => {
    const { id: commandId } = await stop()
    await expect(answer(commandId, status)).rejects.toEqual(refusal('invalid_status'))
  })

  test('of a command that is not, of another host, or with the token of another one, is refused', async () => {
    const { id: commandId } = await stop()
    await expect(answer(' ')).rejects.toEqual(refusal('missing_command_id'))
    const refused = refusal('docker_command_ack_failed')
    await expect(answer('x')).rejects.toEqual(refused)
    await expect(answer(commandId, 'completed', '', 'other')).rejects.toEqual(refused)
    const other = await yard.sender()
    await expect(answer(commandId, 'completed', '', id, other)).rejects.toEqual(refused)
    expect(command()).toMatchObject({ status: 'queued' })
  })
})

describe('[facts/collection 3.6] removing', () => {
  test('an offline host removes it at once', async () => {
    await yard.ground.clock.advance(200_000)
    expect(await yard.actions.remove(id, 'usual')).toMatchObject({ what: 'removed', hostId: id })
    expect(yard.host()).toBeUndefined()
  })

  test('by force removes it at once, and one that is not there is fine', async () => {
    expect(await yard.actions.remove(id, 'force')).toMatchObject({ what: 'removed' })
    expect(await yard.actions.remove(id, 'force')).toMatchObject({ what: 'absent' })
    expect(yard.actions.removed()).toHaveLength(1)
  })

  test('an unknown host gets another answer', async () => {
    for (const mode of ['usual', 'hide'] as const)
      await expect(yard.actions.remove('x', mode)).rejects.toEqual(refusal('docker_host_not_found'))
    await expect(yard.actions.unhide('x')).rejects.toEqual(refusal('docker_host_not_found'))
  })

  test('is undone by an administrator, or by a token that was made for it since', async () => {
    await yard.actions.remove(id, 'force')
    expect(await yard.actions.allow(id)).toBe('dock1')
    await report()
    await yard.actions.remove(id, 'force')
    await yard.ground.clock.advance(1)
    await yard.intake.report(aReport(), await yard.sender())
    expect(yard.host()).toBeDefined()
    expect(yard.actions.removed()).toEqual([])
  })
})

describe('what comes while its host is being removed', () => {
  const removedMeanwhile = async <T>(change: () => Promise<T>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    void yard.hosts.runExclusive(() => promise)
    const removed = yard.actions.remove(id, 'force')
    const changed = change()
    resolve()
    await removed
    return changed
  }
  const isGone = () => {
    expect(yard.state.tables.dockerHosts.size).toBe(0)
    expect(yard.state.tables.sources.size).toBe(0)
  }

  test.each(['hide', 'usual'] as const)('%s finds no host, and shows none', async (mode) => {
    await expect(removedMeanwhile(() => yard.actions.remove(id, mode))).rejects.toEqual(
      refusal('docker_host_not_found'),
    )
    isGone()
  })

  test.each(['acknowledged', 'failed', 'completed'])('an answer that it is %s shows none', async (status) => {
    const { id: commandId } = await stop()
    await removedMeanwhile(() => answer(commandId, status).catch(() => undefined))
    isGone()
  })
})

describe.skipIf(isOnPostgres)('[R10] while nothing can be stored', () => {
  /** Refuses writes to the table, like a full disk. */
  const refuse = async (table: 'docker_hosts' | 'docker_removals', what: 'INSERT' | 'UPDATE') => {
    await execute(
      `CREATE TRIGGER refusal BEFORE ${what} ON ${table} BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    )
    const takeAgain = () => execute('DROP TRIGGER IF EXISTS refusal')
    onTestFinished(async () => void (await takeAgain()))
    return takeAgain
  }
  const execute = (sql: string) => yard.ground.maintenance.run([{ sql, parameters: [] }])

  test('an answer counts only when it is said again and stored', async () => {
    const { id: commandId } = await stop()
    await report()
    for (const [status, table, what] of [
      ['completed', 'docker_removals', 'INSERT'],
      ['failed', 'docker_hosts', 'UPDATE'],
    ] as const) {
      const takeAgain = await refuse(table, what)
      await expect(answer(commandId, status)).rejects.toThrow('no room')
      expect((await report()).commands).toEqual([{ id: commandId, type: 'stop' }])
      expect(yard.host()).toMatchObject({ pendingUninstall: true, command: { status: 'dispatched' } })
      await takeAgain()
    }
    await answer(commandId, 'completed')
    expect(yard.host()).toBeUndefined()
  })

  test('when a host was last seen is stored as soon as it can be', async () => {
    const seen = async () => (await yard.ground.db.query.selectFrom('docker_hosts').selectAll().execute())[0]
    await yard.hosts.runExclusive(async () => {})
    const takeAgain = await refuse('docker_hosts', 'UPDATE')
    await yard.ground.clock.advance(60_000)
    await report()
    await yard.ground.clock.advance(300_000)
    await yard.hosts.runExclusive(async () => {})
    const noon = Date.UTC(2026, 0, 1, 12)
    expect(await seen()).toMatchObject({ last_seen_at: noon, online: 1 })
    await takeAgain()
    await yard.ground.clock.advance(300_000)
    await yard.hosts.runExclusive(async () => {})
    expect(await seen()).toMatchObject({ last_seen_at: noon + 60_000, online: 0 })
  })
})

test('a host that is marked to be uninstalled and still there ten minutes later is not going', async () => {
  await yard.actions.markPending(id)
  await report()
  expect(yard.host()!.pendingUninstall).toBe(true)
  await yard.ground.clock.advance(600_000)
  await report()
  expect(yard.host()!.pendingUninstall).toBe(false)
})
