// @vitest-environment happy-dom
import { DELTA_PROTOCOL } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeEarlySocket } from './create-live.ts'

const script = fs.readFileSync(path.join(import.meta.dirname, '../../public/first.js'), 'utf8')

let opened: Socket[]

class Socket extends EventTarget {
  readonly url: string
  readonly protocols: string
  isClosed = false
  constructor(url: string, protocols: string) {
    super()
    this.url = url
    this.protocols = protocols
    opened.push(this)
  }
  close() {
    this.isClosed = true
  }
}

function runFirstScript(src = `${location.origin}/first.js`) {
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue({ src } as HTMLScriptElement)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vm.runInThisContext(script)
}

beforeEach(() => {
  opened = []
  vi.stubGlobal('WebSocket', Socket)
  document.cookie = 'pulse_csrf=token'
})
afterEach(() => {
  delete window.earlySocket
  document.cookie = 'pulse_csrf=; max-age=0'
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const wsUrl = () => `${location.origin.replace('http', 'ws')}/ws`

test('the document opens the socket, and the program gets all earlier messages once and in order', async () => {
  runFirstScript()
  const [socket] = opened
  expect([opened.length, socket!.url, socket!.protocols]).toEqual([1, wsUrl(), DELTA_PROTOCOL])
  socket!.dispatchEvent(new Event('open'))
  socket!.dispatchEvent(new MessageEvent('message', { data: 'one' }))
  socket!.dispatchEvent(new MessageEvent('message', { data: 'two' }))

  const heard: string[] = []
  const taken = takeEarlySocket(wsUrl())
  expect(taken).toBe(socket)
  taken!.addEventListener('open', () => heard.push('open'))
  taken!.addEventListener('message', ({ data }: MessageEvent<string>) => heard.push(data))
  await Promise.resolve()
  socket!.dispatchEvent(new MessageEvent('message', { data: 'three' }))
  expect(heard).toEqual(['open', 'one', 'two', 'three'])
  expect(takeEarlySocket(wsUrl())).toBeUndefined()
})

test('a base path is part of its address', () => {
  runFirstScript(`${location.origin}/tools/pulse/first.js`)
  expect(new URL(opened[0]!.url).pathname).toBe('/tools/pulse/ws')
})

test.each([
  { who: 'a browser without a session', prepare: () => (document.cookie = 'pulse_csrf=; max-age=0') },
  { who: 'who has just logged out', prepare: () => localStorage.setItem('just_logged_out', 'true') },
])('$who opens none', ({ prepare }) => {
  prepare()
  runFirstScript()
  expect([opened, window.earlySocket]).toEqual([[], undefined])
})

test('a socket with another address is closed', () => {
  runFirstScript()
  expect(takeEarlySocket('ws://elsewhere/ws')).toBeUndefined()
  expect(opened[0]!.isClosed).toBe(true)
})
