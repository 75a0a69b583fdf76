import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const chart = path.join(import.meta.dirname, '../deploy/helm/pulse')
const read = (name: string) => fs.readFileSync(path.join(chart, name), 'utf8')
const templates = fs
  .readdirSync(path.join(chart, 'templates'))
  .map((name) => ({ name, text: read(`templates/${name}`) }))
const all = templates.map(({ text }) => text).join('\n')

type Tree = { [name: string]: unknown }
/** Names of values. An empty object, or one that goes to Kubernetes as a whole, is a single value. */
const leaves = (tree: Tree, before = ''): string[] =>
  Object.entries(tree).flatMap(([name, value]) => {
    const isGroup =
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    return isGroup && name !== 'resources' ? leaves(value as Tree, `${before}${name}.`) : [before + name]
  })
const values = leaves(parse(read('values.yaml')) as Tree)

interface Schema {
  properties?: Record<string, Schema>
}
const inSchema = (name: string) =>
  name
    .split('.')
    .reduce<Schema | undefined>(
      (at, part) => at?.properties?.[part],
      JSON.parse(read('values.schema.json')) as Schema,
    )

describe('the chart', () => {
  test('is of this version', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(chart, '../../../package.json'), 'utf8')) as {
      version: string
    }
    expect(parse(read('Chart.yaml'))).toMatchObject({
      apiVersion: 'v2',
      name: 'pulse',
      version,
      appVersion: version,
    })
  })

  test('every value is used, checked and explained; no template uses another', () => {
    expect(values.length).toBeGreaterThan(15)
    for (const name of values) {
      expect(all.includes(`.Values.${name}`), `${name} in a template`).toBe(true)
      expect(inSchema(name), `${name} in the schema`).toBeDefined()
      expect(read('README.md').includes(`\`${name}\``), `${name} in the README`).toBe(true)
    }
    const asked = [...all.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, name]) => name!)
    expect([...new Set(asked)].filter((name) => !values.includes(name))).toEqual([])
  })

  test.each(templates)('what begins in $name ends there', ({ text }) => {
    const words = [...text.matchAll(/\{\{-?\s*(if|range|with|define|end)\b/g)].map(([, word]) => word)
    expect(words.filter((word) => word === 'end')).toHaveLength(words.filter((word) => word !== 'end').length)
    expect(text.split('{{')).toHaveLength(text.split('}}').length)
  })
})

const helm = process.env['HELM'] ?? 'helm'
const hasHelm = spawnSync(helm, ['version']).status === 0
if (!hasHelm) console.log('skipped: no helm')

interface Variable {
  name: string
  value?: string
}

interface Kept {
  kind: string
  metadata: { name: string }
  spec: Record<string, unknown>
}

describe.skipIf(!hasHelm)('rendered by helm', () => {
  const template = (...words: string[]) =>
    parseAllDocuments(execFileSync(helm, ['template', 'pulse', chart, ...words], { encoding: 'utf8' })).map(
      (one) => one.toJS() as Kept,
    )
  const render = (...set: string[]) =>
    template(...set.flatMap((one) => [one.endsWith('=true') ? '--set' : '--set-string', one]))

  test('by default: unprivileged, with one volume', () => {
    const found = render()
    expect(found.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'PersistentVolumeClaim',
      'Service',
    ])
    expect(found.find(({ kind }) => kind === 'Deployment')!.spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'Recreate' },
      template: {
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 65532 },
          containers: [
            {
              image: 'pulse:0.9.0',
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'pulse' } }, { name: 'tmp' }],
        },
      },
    })
  })

  test('with every value', () => {
    const [service, deployment, ingress, ...rest] = render(
      'ingress.enabled=true',
      'publicUrl=https://example.com/pulse',
      'trustedProxies=10.0.0.0/8',
      'env.LOG_LEVEL=debug',
      'envFromSecret=account',
      'ingress.path=/pulse',
      'ingress.host=example.com',
      'ingress.tlsSecret=certificate',
      'ingress.className=nginx',
      'persistence.existingClaim=old',
      'image.tag=1.2.3',
      'nodeSelector.disk=fast',
      'ingress.annotations.a=b',
    )
    expect([service!.kind, deployment!.kind, ingress!.kind, rest]).toEqual([
      'Service',
      'Deployment',
      'Ingress',
      [],
    ])
    expect(ingress!.spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['example.com'], secretName: 'certificate' }],
      rules: [{ host: 'example.com', http: { paths: [{ path: '/pulse', pathType: 'Prefix' }] } }],
    })
    expect(JSON.stringify(deployment)).toContain('"claimName":"old"')
    expect(JSON.stringify(deployment)).toContain(
      '{"name":"PULSE_PUBLIC_URL","value":"https://example.com/pulse"}',
    )
    expect(JSON.stringify(deployment)).toContain('{"name":"LOG_LEVEL","value":"debug"}')
  })

  test('several processes: a workload for each set of roles, each with its probes', () => {
    const found = render(
      'cluster.enabled=true',
      'cluster.databaseUrl=postgres://pulse@db/pulse',
      'cluster.natsUrl=tls://nats:4222',
      'cluster.secret=pulse-cluster',
    )
    expect(found.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
      'Deployment pulse-collect',
      'Deployment pulse-serve',
      'Service pulse',
      'StatefulSet pulse-judge',
    ])
    for (const { kind, spec } of found) {
      if (kind === 'Service') expect(spec).toMatchObject({ selector: { 'pulse/serves': 'true' } })
      else
        expect(spec).toMatchObject({
          template: {
            spec: {
              containers: [
                {
                  readinessProbe: { httpGet: { path: '/api/health/ready' } },
                  livenessProbe: { httpGet: { path: '/api/health' } },
                },
              ],
            },
          },
        })
    }
    expect(JSON.stringify(found)).toContain('{"name":"PULSE_ROLES","value":"collect"}')
  })

  /** Of the container, by name. A secret's value is its place. */
  const variablesOf = ({ spec }: Kept) => {
    const { template: pod } = spec as { template: { spec: { containers: { env: Variable[] }[] } } }
    return Object.fromEntries(pod.spec.containers[0]!.env.map(({ name, value }) => [name, value]))
  }

  test('the example of several processes: a user of NATS, a site of its own, one store of samples', () => {
    const found = template('--values', path.join(chart, 'values-cluster.yaml'))
    const berlin = found.find(({ metadata }) => metadata.name === 'pulse-berlin')!
    const serve = found.find(({ metadata }) => metadata.name === 'pulse-serve')!
    expect(variablesOf(berlin)).toMatchObject({ PULSE_ROLES: 'collect', PULSE_SITE: 'Berlin' })
    expect(variablesOf(serve)).toMatchObject({
      PULSE_DATABASE_PASSWORD_FILE: '/run/pulse/database-password',
      PULSE_NATS_USER: 'pulse',
      PULSE_NATS_PASSWORD_FILE: '/run/pulse/nats-password',
      PULSE_NATS_CA_FILE: '/run/pulse/ca.pem',
      PULSE_SAMPLES_URL: 'https://metrics.example.com:8428',
      PULSE_SAMPLES_USER: 'pulse',
      PULSE_SAMPLES_PASSWORD_FILE: '/run/samples/password',
      PULSE_SAMPLES_CA_FILE: '/run/samples/ca.pem',
    })
    expect(Object.keys(variablesOf(serve))).not.toContain('PULSE_NATS_CREDENTIALS_FILE')
    expect(Object.keys(variablesOf(serve))).not.toContain('PULSE_SITE')
    for (const text of found.filter(({ kind }) => kind !== 'Service').map((one) => JSON.stringify(one))) {
      expect(text).toContain('{"name":"samples","mountPath":"/run/samples","readOnly":true}')
      expect(text).toContain('{"name":"samples","secret":{"secretName":"pulse-samples"}}')
    }
  })

  test('the example of a collector of another site: one workload, without database and service', () => {
    const found = template('--values', path.join(chart, '../../collector/values.yaml'))
    expect(found.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Deployment pulse'])
    expect(variablesOf(found[0]!)).toEqual({
      PULSE_ROLES: 'collect',
      PULSE_SITE: 'Berlin',
      PULSE_SITE_KEY_FILE: '/run/pulse/site.key',
      PULSE_NATS_URL:
        'tls://nats-1.example.com:4222,tls://nats-2.example.com:4222,tls://nats-3.example.com:4222',
      PULSE_NATS_CREDENTIALS_FILE: '/run/pulse/nats.creds',
      PULSE_NATS_CA_FILE: '/run/pulse/ca.pem',
      PULSE_LISTEN_ADDRESS: undefined,
    })
    expect(JSON.stringify(found)).toContain('{"fieldRef":{"fieldPath":"status.podIP"}}')
    expect(found[0]!.spec).toMatchObject({ replicas: 2 })
  })

  test.each([
    'cluster.enabled=true',
    'collector.enabled=true',
    'collector.natsUrl=https://x',
    'samples.url=https://user:password@host',
    'publicUrl=ftp://x',
    'persistence.size=much',
    'nonsense=1',
    'service.type=Other',
  ])('%s is refused', (one) => {
    expect(spawnSync(helm, ['template', 'pulse', chart, '--set', one]).status).toBe(1)
  })
})
