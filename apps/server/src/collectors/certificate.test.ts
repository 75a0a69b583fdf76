import type { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { hostNameOf } from './certificate.ts'

const made = (subject: string) => ({ subject }) as X509Certificate

test.each([
  ['O=Proxmox Virtual Environment\nCN=pve1.lab.example', 'pve1'],
  ['CN=pbs', 'pbs'],
  ['CN=192.0.2.10', undefined],
  ['CN=*.example.org', undefined],
  ['CN=Proxmox Virtual Environment', undefined],
  ['O=CN=none', undefined],
  [`CN=${'a'.repeat(64)}.example`, undefined],
  ['', undefined],
])('%j was made for the host %s', (subject, name) => expect(hostNameOf(made(subject))).toBe(name))
