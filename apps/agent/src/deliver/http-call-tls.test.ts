import { createSelfSigned } from '@pulse/lab'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { call } from './http-call.ts'

let certificate: Awaited<ReturnType<typeof createSelfSigned>>
beforeAll(async () => {
  certificate = await createSelfSigned('pulse', '127.0.0.1', 'Test', Date.now())
})

// the authorities are set for the whole process
const usual = tls.getCACertificates('default')
afterAll(() => tls.setDefaultCACertificates(usual))

/** A server with a certificate that no trusted authority has signed. */
async function anUntrustedServer() {
  const tokens: unknown[] = []
  const { certPem: cert, keyPem: key } = certificate
  const server = https.createServer({ cert, key }, (request, response) => {
    tokens.push(request.headers['x-api-token'])
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (insecure: boolean) =>
    call(
      { url, token: 'tok-5ecret', insecure },
      { method: 'GET', path: '/', headers: { 'x-api-token': 'tok-5ecret' }, timeoutMs: 60_000 },
    )
  return { ask, tokens }
}

test('[S18] a server with an untrusted certificate gets no token', async () => {
  const { ask, tokens } = await anUntrustedServer()
  await expect(ask(false)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(tokens).toEqual([])
})

test('[facts 3.7] --insecure does not verify the certificate', async () => {
  const { ask, tokens } = await anUntrustedServer()
  expect((await ask(true)).status).toBe(200)
  expect(tokens).toEqual(['tok-5ecret'])
})
