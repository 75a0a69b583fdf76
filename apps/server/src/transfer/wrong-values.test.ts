import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aConnection,
  aFile,
  aLink,
  atConsole,
  aToken,
  aTransferGround,
  aUser,
  expectRefused,
  passphrase,
  type TransferGround,
} from './fixtures.ts'

let ground: TransferGround
let before: string
beforeAll(async () => {
  ground = await aTransferGround()
  await ground.transfer.import(await aFile({ connections: [aConnection()] }), passphrase, atConsole)
  before = await ground.rows()
})
afterAll(() => ground.end())

const two = 'pve-0123456789ac'
const wrongValues: [string, Record<string, unknown>, RegExp][] = [
  ['an unknown part', { plugins: [] }, /plugins/],
  ['an unknown field', { users: [aUser({ isRoot: true })] }, /isRoot/],
  ['a part of another type', { connections: {} }, /connections/],
  ['an address without TLS', { connections: [aConnection({ host: 'http://alpha.lan' })] }, /https/],
  [
    'an address that is a program',
    { connections: [aConnection({ host: 'javascript:alert(1)' })] },
    /address|https/,
  ],
  [
    'an address with a password',
    { connections: [aConnection({ host: 'https://u:canary@a.lan' })] },
    /user and password/,
  ],
  ['a file address', { connections: [aConnection({ host: 'file:///etc/passwd' })] }, /https/],
  [
    'a token id that splits a header',
    { connections: [aConnection({ auth: { type: 'token', tokenId: 'a@pam!b\r\nX: y', secret: 'x' } })] },
    /Token ID/,
  ],
  [
    'a member with a bad address',
    {
      connections: [
        aConnection({
          clusterEndpoints: [
            { NodeID: 'a', NodeName: 'a', Host: 'http://evil.lan', IP: '192.0.2.1', Online: true },
          ],
        }),
      ],
    },
    /https/,
  ],
  [
    'a member whose IP is a name',
    {
      connections: [
        aConnection({
          clusterEndpoints: [
            { NodeID: 'a', NodeName: 'a', Host: 'https://a.lan:8006', IP: 'evil.lan', Online: true },
          ],
        }),
      ],
    },
    /IP address/,
  ],
  ['an id of another kind', { connections: [aConnection({ id: 'pbs-0123456789ab' })] }, /another kind/],
  ['an id that is a path', { connections: [aConnection({ id: '../../etc' })] }, /id/],
  ['a blank name', { connections: [aConnection({ name: '  ' })] }, /blank/],
  [
    'no secret',
    { connections: [aConnection({ auth: { type: 'token', tokenId: 'a@pam!b', secret: '' } })] },
    /secret/,
  ],
  [
    'one name twice',
    { connections: [aConnection(), aConnection({ id: two, host: 'https://b.lan:8006', name: 'ALPHA' })] },
    /appears twice/,
  ],
  [
    'one name for two kinds',
    {
      connections: [
        aConnection(),
        aConnection({ id: 'pbs-0123456789ac', kind: 'pbs', host: 'https://b.lan' }),
      ],
    },
    /appears twice/,
  ],
  [
    'one address twice',
    { connections: [aConnection(), aConnection({ id: two, name: 'b', host: 'ALPHA.lan' })] },
    /appears twice/,
  ],
  [
    'one id twice',
    { connections: [aConnection(), aConnection({ name: 'b', host: 'https://b.lan:8006' })] },
    /appears twice/,
  ],
  ['a link that is a program', { guestMetadata: [aLink({ customUrl: 'javascript:alert(1)' })] }, /http/],
  ['a link with a password', { guestMetadata: [aLink({ customUrl: 'https://a:b@c.lan' })] }, /Invalid URL/],
  ['one guest twice', { guestMetadata: [aLink(), aLink()] }, /appears twice/],
  ['a user without a real hash', { users: [aUser({ passwordHash: 'plain' })] }, /password hash/],
  [
    'a hash that never ends',
    { users: [aUser({ passwordHash: `$2b$31$${'a'.repeat(53)}` })] },
    /password hash/,
  ],
  [
    'a hash with other costs',
    { users: [aUser({ passwordHash: aUser().passwordHash.replace('t=2', 't=9') })] },
    /password hash/,
  ],
  ['a role that does not exist', { users: [aUser({ role: 'root' })] }, /role/],
  [
    'two spellings of one name',
    {
      users: [aUser({ name: 'ben' }), aUser({ id: '0b0e7a52-7f0d-4d62-9a3a-2d6f0f1f4b12', name: 'ＢＥＮ' })],
    },
    /appears twice/,
  ],
  ['an invisible name', { users: [aUser({ name: '\u200b' })] }, /blank/],
  ['a scope that does not exist', { apiTokens: [aToken({ scopes: ['all'] })] }, /scopes/],
  ['a token without scopes', { apiTokens: [aToken({ scopes: [] })] }, /scopes/],
  ['a token hash that is none', { apiTokens: [aToken({ tokenHash: 'x' })] }, /tokenHash/],
  [
    'more tokens than there may be',
    { apiTokens: Array.from({ length: 1_001 }, (_, n) => aToken({ id: `${n}` })) },
    /apiTokens/,
  ],
  ['settings out of range', { system: { connectionTimeout: 0 } }, /connectionTimeout/],
  ['origins that are none', { system: { allowedOrigins: 'https://*.lan' } }, /allowedOrigins/],
  [
    'settings that contradict each other',
    { system: { adaptivePollingMinInterval: 3600 } },
    /adaptivePolling/,
  ],
  [
    'a provider over plain HTTP',
    { oidc: { enabled: true, issuerUrl: 'http://id.example.com', clientId: 'p' } },
    /issuerUrl/,
  ],
  [
    'a provider at a link-local address',
    { oidc: { enabled: true, issuerUrl: 'https://169.254.169.254', clientId: 'p' } },
    /issuerUrl/,
  ],
  [
    'a redirect that is a program',
    { oidc: { issuerUrl: 'https://id.example.com', redirectUrl: 'javascript:1' } },
    /redirectUrl/,
  ],
]

test.each(wrongValues)(
  '[S17] an import that holds %s changes nothing at all',
  async (_what, values, reason) => {
    // the parts before the wrong one are valid
    const file = await aFile({ guestMetadata: [aLink({ customUrl: 'https://new.lan' })], ...values })
    expect((await expectRefused(ground, file, before)).message).toMatch(reason)
  },
)
