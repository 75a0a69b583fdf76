import type { DockerHost } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { aCommand, aDockerHost, aLiveWith, someHosts } from './fake-docker.tsx'
import { hostsOfToken, sameHosts, selectHosts, sharedTokens } from './hosts.ts'

const hostOf = (over: Partial<DockerHost> = {}) => selectHosts(aLiveWith([aDockerHost(over)]).store)[0]!

describe('[spec 2 §3] a Docker host', () => {
  test('shows its display name, operating system and architecture', () => {
    expect(hostOf()).toMatchObject({
      name: 'web1',
      hostname: 'web1.example.org',
      system: 'Debian GNU/Linux 12 · x86_64',
      isOnline: true,
      phase: 'none',
    })
  })

  test('without a display name is called as its machine, and without that by its id', () => {
    expect(hostOf({ displayName: ' ' }).name).toBe('web1.example.org')
    expect(hostOf({ displayName: '', hostname: '' }).name).toBe('h1')
  })

  test('of which only one of the two is known shows that one', () => {
    const { os: _, ...rest } = aDockerHost()
    expect(selectHosts(aLiveWith([rest]).store)[0]!.system).toBe('x86_64')
    expect(hostOf({ os: ' ' }).system).toBe('x86_64')
  })
})

test('hosts stand in the order of their names, as people sort them', () => {
  const { store } = aLiveWith(someHosts(['web10', 'Web2', 'db']))
  expect(selectHosts(store).map(({ name }) => name)).toEqual(['db', 'Web2', 'web10'])
})

describe('a report that changes nothing shown', () => {
  const seen = (over: Partial<DockerHost>) => selectHosts(aLiveWith([aDockerHost(over)]).store)

  test('renders nothing again', () => {
    expect(sameHosts(seen({}), seen({ tokenLastUsedAt: 5, totalMemoryBytes: 1 }))).toBe(true)
    const command = aCommand()
    expect(sameHosts(seen({ command }), seen({ command: { ...command } }))).toBe(true)
  })

  test.each<[Partial<DockerHost>]>([
    [{ status: 'offline' }],
    [{ hidden: true }],
    [{ displayName: 'other' }],
    [{ command: aCommand({ status: 'dispatched', updatedAt: 2 }) }],
  ])('but %j does', (over) => {
    expect(sameHosts(seen({ command: aCommand() }), seen({ command: aCommand(), ...over }))).toBe(false)
  })
})

describe('[spec 2 §2] tokens that several hosts report with', () => {
  const one = (name: string, tokenId?: string) => ({ key: name, name, tokenId })
  const hosts = [one('a', 't1'), one('b', 't2'), one('c', 't1'), one('d'), one('e'), one('f', 't1')]

  test('are named at each of these hosts, with the others', () => {
    expect([...sharedTokens(hosts)]).toEqual([
      ['a', ['c', 'f']],
      ['c', ['a', 'f']],
      ['f', ['a', 'c']],
    ])
  })

  test('and a token is listed with all of its hosts', () => {
    expect(hostsOfToken(hosts, 't1')).toEqual(['a', 'c', 'f'])
    expect(hostsOfToken(hosts, 't9')).toEqual([])
  })
})
