import { expect, test } from 'vitest'
import { guestUrlProblem } from './guest-url.ts'

const incomplete = 'URL appears incomplete - please enter a complete domain or IP address'

test.each([
  ['', undefined],
  ['https://grafana.example.org', undefined],
  ['http://192.0.2.5:3000/d/1?x=1#y', undefined],
  ['HTTPS://nas.lan/', undefined],
  ['https://[2001:db8::1]:8443', undefined],
  ['https://grafana.', incomplete],
  ['grafana.', incomplete],
  ['grafana.lan', 'URL must start with http:// or https://'],
  ['ftp://grafana.lan', 'URL must start with http:// or https://'],
  ['javascript:alert(1)', 'URL must start with http:// or https://'],
  ['https://', 'URL must include a valid hostname or IP address'],
  ['https:///path', 'URL must include a valid hostname or IP address'],
  ['https://:8080', 'URL must include a valid hostname or IP address'],
  ['https://grafana./path', 'Hostname appears incomplete'],
  ['https://grafana.:3000/path', 'Hostname appears incomplete'],
  ['https://gra fana', 'Invalid URL format'],
  ['https://grafana:99999', 'Invalid URL format'],
  ['https://user:pass@grafana.lan', 'Invalid URL format'],
])('[spec 2 §5] guest URL %j: %s', (text, expected) => expect(guestUrlProblem(text)).toBe(expected))
