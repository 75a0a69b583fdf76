import { expect, test } from 'vitest'
import { engineAddress } from './address.ts'

const docker = '/var/run/docker.sock'
const podman = '/run/podman/podman.sock'

test.each([
  ['Docker where it usually is', {}, [docker, podman], { socketPath: docker }],
  ['Podman where there is no Docker', {}, [podman], { socketPath: podman }],
  [
    "a user's Podman",
    { XDG_RUNTIME_DIR: '/run/user/7' },
    ['/run/user/7/podman/podman.sock'],
    { socketPath: '/run/user/7/podman/podman.sock' },
  ],
  ['Docker, to be waited for, where there is nothing', {}, [], { socketPath: docker }],
  ['another socket', { DOCKER_HOST: 'unix:///srv/d.sock' }, [docker], { socketPath: '/srv/d.sock' }],
  [
    'a proxy before the socket',
    { DOCKER_HOST: 'tcp://socket-proxy:2375' },
    [],
    { host: 'socket-proxy', port: 2375 },
  ],
  ['a proxy by its address', { DOCKER_HOST: 'tcp://[::1]:99' }, [], { host: '::1', port: 99 }],
])('%s', (_what, env, there, address) => {
  expect(engineAddress(env, (file) => (there as string[]).includes(file))).toEqual(address)
})

test.each([
  { DOCKER_HOST: 'ssh://me@host' },
  { DOCKER_HOST: 'tcp://h:2376', DOCKER_TLS_VERIFY: '1' },
  { DOCKER_HOST: 'h' },
])('%j is refused with a message', (env) => {
  expect(() => engineAddress(env, () => true)).toThrow(/unix:\/\/\/path or tcp:\/\/host:port/)
})
