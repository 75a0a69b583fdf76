import { expect, test } from 'vitest'
import { portTexts } from './container-details.tsx'

test('published ports come first, one of IPv4 and IPv6 once', () => {
  const tcp = { protocol: 'tcp' }
  expect(
    portTexts([
      { ...tcp, privatePort: 443 },
      { ...tcp, privatePort: 80, publicPort: 8080, ip: '0.0.0.0' },
      { ...tcp, privatePort: 80, publicPort: 8080, ip: '::' },
      { ...tcp, privatePort: 53, publicPort: 53, ip: '127.0.0.1', protocol: 'udp' },
      { ...tcp, privatePort: 53, publicPort: 53, ip: 'fd00::1', protocol: 'udp' },
      { ...tcp, privatePort: 22, publicPort: 0 },
    ]),
  ).toEqual(['127.0.0.1:53 → 53/udp', '[fd00::1]:53 → 53/udp', '8080 → 80/tcp', '22/tcp', '443/tcp'])
})
