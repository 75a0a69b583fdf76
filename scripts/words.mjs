// Fails where a file uses a word that the glossary replaces, in names, comments, texts or documents: node
// scripts/words.mjs [FILE or FOLDER...]. Without arguments it reads all tracked files in the current folder.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Refused everywhere: as a part of a name, in comments, texts and documents. Each entry begins with the
 * replacement.
 */
const everywhere = [
  ['notified, reported, sent or logged', 'told', 'untold'],
  ['the role or the thing: no user, no request, nothing', 'nobody', 'nobodys'],
  ['the role: a user, a caller', 'somebody', 'somebodys', 'anybody', 'anybodys', 'whoever', 'whomever'],
  ['again', 'anew'],
  ['cache', 'shelf', 'shelves'],
  ['timeout, deadline or suspend detector', 'patience'],
  ['response size limiter', 'ballast'],
  ['visibility', 'sight'],
  ['alert store or alert writer', 'keeper', 'keepers', 'fresher'],
  ['condition sink', 'hearing'],
  ['successor', 'heir', 'heirs'],
  ['test send; probe (of a circuit breaker)', 'trial', 'trials'],
  ['selector or comparator', 'chooser', 'choosers'],
  ['concurrency limit', 'lane', 'lanes'],
  ['payload, frame or chunk', 'portion', 'portions'],
  ['channel', 'way out', 'ways out'],
  ['in steps, yielding to the event loop', 'in turns'],
  ['yield (to the event loop)', 'give way', 'gives way', 'gave way', 'giving way', 'given way'],
  ['release (memory), return', 'give back', 'gives back', 'gave back', 'giving back', 'given back'],
  ['event loop monitor', 'loop watch'],
  ['refers to, is notified of', 'knows of', 'know of', 'knew of'],
  ['because … lacks', 'for want of'],
  ['result, delivery status', 'what became of'],
  ['unreachable', 'gone quiet'],
  ['a tenth; backoff', 'tenth part'],
  ['recently', 'of late'],
  ['the previous version', 'the version before'],
  ['tick, interval', 'a beat', 'the beat', 'each beat', 'every beat', 'one beat', 'its beat', 'beats out'],
]

/**
 * Refused as a part of a name: `activeWay`, `ACTIVE_WAY` and `active-way.ts`. In prose these words are
 * correct.
 */
const inNames = [
  [
    'channel',
    'active way',
    'apprise way',
    'email way',
    'webhook way',
    'is way',
    'way of',
    'way for',
    'no way',
    'set ways',
  ],
  ['method or mode', 'removal way'],
  ['channel id', 'way id'],
  ['test send', 'test way', 'way tests'],
  ['ticker', 'start beat', 'stop beat', 'cancel beat', 'until beat', 'tick along'],
  ['cache', 'history book'],
  ['throttle or rate limit', 'create pace'],
  ['limit, or disk space', 'create room', 'require room', 'source room'],
  ['stub', 'plays code', 'plays lab', 'plays url'],
  ['caller', 'who calls', 'who of'],
  ['suppressed or muted', 'explain held', 'held by'],
  ['resolved', 'all clear', 'gone alert', 'gone alerts', 'stored gone', 'gone row', 'gone group', 'gone id'],
  ['resolved', 'use gone', 'most gone', 'take gone', 'forget gone'],
  [
    'stale (a record), unreachable (a source)',
    'is silent',
    'was silent',
    'as silent',
    'set silent',
    'silent ms',
    'silent addresses',
  ],
  ['without offline alerts', 'silent offline'],
  ['unreachable or offline', 'is away', 'was away', 'away ms', 'server away'],
  ['stale, overdue or lazy', 'late records', 'late reader', 'late values'],
  ['legacy or v4', 'older part', 'older token', 'older tokens', 'older node', 'older nodes', 'older alerts'],
  ['legacy or v4', 'older connections', 'older links', 'older apprise', 'older email', 'older webhooks'],
  ['legacy or v4', 'older single sign', 'older system', 'older switches', 'older guest', 'older guests'],
  [
    'legacy or v4',
    'older file',
    'older export',
    'older salt',
    'older nonce',
    'import older',
    'from older',
    'open older',
  ],
  ['interval, TTL or timeout: intervalMs', 'every ms', 'kept ms', 'alive ms'],
]

/** Refused as the first words in the name of a file or folder. */
const inPaths = [
  ['fixtures', 'given', 'said', 'crowd server'],
  ['channel', 'way', 'ways'],
  ['ticker', 'beat'],
  ['context', 'desk'],
  ['resolved', 'gone'],
  ['stale, unreachable', 'silent', 'away'],
  ['legacy, v4', 'older'],
  ['concurrency limit, queue', 'room', 'turns'],
  ['recipient, caller', 'who'],
]

/** Permitted lines by file, with the reason. A path with a trailing / applies to the whole folder. */
const allowed = {
  'scripts/words.mjs': ['the list itself', /.*/],
  'scripts/words.test.ts': ['examples of the list', /.*/],
  'scripts/check.test.ts': ['examples', /'docs\/new\.md'|'apps\/web\/src\/new\.ts|'docs\/new\.md:3/],
  'docs/decisions/': ['the former name of a table', /`told_alerts`/],
  'apps/server/src/db/database.test.ts': ['a table of an older release', /INTO told_alerts/],
  'apps/server/src/db/migrations/': [
    'a released migration does not change, and a later one names what it renames',
    /.*/,
  ],
}

/** Separators between two words: white space in prose, including comment marks; nothing or `_` in names. */
const between = {
  prose: String.raw`(?:[\s\u0001_-]|\s[*/#>-]+\s)+`,
  names: String.raw`[\u0001_]`,
  paths: String.raw`[\u0001_-]`,
}

function matcher(list, separator, before = '(?<![a-z])') {
  const says = new Map(list.flatMap(([say, ...forms]) => forms.map((form) => [form, say])))
  const forms = [...says.keys()].toSorted((a, b) => b.length - a.length)
  const pattern = forms.map((form) => form.replaceAll(' ', separator)).join('|')
  return { says, pattern: new RegExp(`${before}(?:${pattern})(?![a-z])`, 'gi') }
}

const prose = matcher(everywhere, between.prose)
const names = matcher(inNames, between.names)
const paths = [prose, matcher(inNames, between.paths), matcher(inPaths, between.paths, String.raw`(?<=^|/)`)]

const plain = (words) => words.replace(/[^a-z]+/gi, ' ').toLowerCase()

/** Splits `wayOut` into two words, with a character that no file contains. */
const split = (text) => text.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '\u0001')

const find = (text, ...matchers) =>
  matchers.flatMap(({ says, pattern }) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => ({
      index,
      words: plain(words),
      say: says.get(plain(words)),
    })),
  )

/** Violations in a file by line; line 0 is its path. */
export function offencesIn(file, text) {
  const lines = [file, ...text.split('\n')]
  const parts = split(text)
  const starts = [0, ...[...parts.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const inText = find(parts, ...(file.endsWith('.md') ? [prose] : [prose, names])).map((found) => ({
    ...found,
    line: starts.findLastIndex((start) => start <= found.index) + 1,
  }))
  return [...find(split(file), ...paths).map((found) => ({ ...found, line: 0 })), ...inText]
    .filter(({ line }) => !isAllowed(file, lines[line]))
    .toSorted((a, b) => a.line - b.line || a.index - b.index)
    .map(({ line, words, say }) => ({ line, words, say }))
}

const isAllowed = (file, line) =>
  Object.entries(allowed).some(
    ([name, [, ...phrases]]) =>
      (file === name || (name.endsWith('/') && file.startsWith(name))) &&
      phrases.some((phrase) => phrase.test(line)),
  )

const endings = 'ts tsx mts mjs js css sql md html sh json yaml yml tpl conf service'.split(' ')
const others = ['*Dockerfile', 'deploy/release/pulse', ':!package-lock.json']

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const git = (...args) => String(execFileSync('git', args, { maxBuffer: 1 << 26 })).trim()
  const prefix = git('rev-parse', '--show-prefix')
  const wanted = process.argv.slice(2).map((argument) => argument.replace(/\/$/, ''))
  const files = git(
    'ls-files',
    '-co',
    '--exclude-standard',
    '--',
    ...endings.map((end) => `*.${end}`),
    ...others,
  )
    .split('\n')
    .filter((file) => wanted.length === 0 || wanted.some((one) => file === one || file.startsWith(`${one}/`)))
    .filter((file) => existsSync(file))
  let count = 0
  for (const file of files) {
    for (const { line, words, say } of offencesIn(prefix + file, readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}: ${words} → ${say}`)
      count++
    }
  }
  if (count > 0) {
    console.log(`${count} words that the glossary replaces`)
    process.exit(1)
  }
}
