import { siteApiPrefix } from '../nats/nats-settings.ts'
import {
  allFrames,
  allResends,
  allSiteDown,
  allSiteUp,
  framesOfSite,
  leaseBucketOf,
  presenceBucketOf,
  resendsOfSite,
  siteSubjects,
  token,
} from '../nats/subjects.ts'

/**
 * The account of a site in the configuration of nats-server. Accounts instead of permissions of a user: JetStream answers
 * on any subject that a user of its own account names, also on one to which this user may not send.
 */
export function siteAccount(site: string, publicKey: string): string {
  const { service, stream } = siteImports(site)
  const named = (kind: string, subject: string, to?: string) =>
    `    { ${kind}: { account: PULSE, subject: "${subject}" }${to === undefined ? '' : `, to: "${to}"`} }`
  return [
    `${accountOf(site)} {`,
    `  users: [{ nkey: ${publicKey} }]`,
    '  imports: [',
    ...service.map(({ subject, to }) => named('service', subject, to)),
    ...stream.map((subject) => named('stream', subject)),
    '  ]',
    '}\n',
  ].join('\n')
}

const accountOf = (site: string): string => `SITE_${token(site)}`

interface Import {
  subject: string
  to?: string
}

/** All that a collector of the site may do: each subject names the site. */
function siteImports(site: string): { service: Import[]; stream: string[] } {
  const { asks, results, answers, tasks, changed } = siteSubjects(site)
  const shared = (subject: string, at = subject) => ({ subject, to: `${siteApiPrefix}.${at}` })
  const buckets = [leaseBucketOf(site), presenceBucketOf(site)]
  return {
    service: [
      { subject: framesOfSite(site) },
      { subject: asks },
      { subject: `${results}.*` },
      ...buckets.flatMap((bucket) => [
        shared(`$KV.${bucket}.>`),
        shared(`$JS.API.STREAM.INFO.KV_${bucket}`, `STREAM.INFO.KV_${bucket}`),
        shared(`$JS.API.STREAM.MSG.GET.KV_${bucket}`, `STREAM.MSG.GET.KV_${bucket}`),
      ]),
    ],
    stream: [`${answers}.*`, tasks, changed, resendsOfSite(site)],
  }
}

/** What the account of Pulse shares. Only the imports of a site's account say what of it its collectors have. */
export const siteExports: readonly string[] = [
  `{ service: "${allFrames}" }`,
  `{ service: "${allSiteUp}" }`,
  '{ service: "$KV.*.>" }',
  '{ service: "$JS.API.STREAM.INFO.*" }',
  '{ service: "$JS.API.STREAM.MSG.GET.*" }',
  `{ stream: "${allSiteDown}" }`,
  `{ stream: "${allResends}" }`,
]
