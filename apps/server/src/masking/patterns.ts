import { isIP } from 'node:net'

/** Kinds of values that could identify an installation. An export for support uses the category as the placeholder. */
export type Category =
  | 'account'
  | 'address'
  | 'cluster'
  | 'fingerprint'
  | 'instance'
  | 'name'
  | 'node'
  | 'path'
  | 'serial'
  | 'storage'
  | 'task'
  | 'text'
  | 'token'
  | 'url'

interface Pattern {
  category: Category
  /** matches lower case in linear time, because texts come from other machines */
  pattern: RegExp
  /** similar texts that do not match */
  except?: (text: string) => boolean
}

/** Proxmox privileges such as `VM.Config.CDROM`; a host could be named `vm.example.org`. */
const privilege =
  /^(?:sys|vm|datastore|sdn|pool|mapping|permissions|realm|user|group)\.(?:accessnetwork|allocate[a-z]*|audit|backup|clone|config|console|guestagent|incoming|migrate|modify|monitor|nodeinfo|powermgmt|powermanagement|prune|read|replicate|snapshot|syslog|use|verify)(?:\.[a-z]{1,20})?$/

/** Finds hosts in texts, in addition to the known fields. */
const patterns: readonly Pattern[] = [
  { category: 'url', pattern: /(?:(?<![a-z0-9+.-])[a-z0-9+.-]+)?:\/\/[^\s"'<>\\)\]]+/g },
  // task ids: they contain a node, a target and a user
  { category: 'task', pattern: /\bupid:[^\s"',;]+/g },
  { category: 'account', pattern: /(?:(?<![\w.+%-])[\w.+%-]+)?@[\w-]+(?:\.[\w-]+)*(?:![\w.-]+)?/g },
  {
    category: 'fingerprint',
    pattern: /(?:[0-9a-f]{2}:){15,63}[0-9a-f]{2}|sha256:[a-z0-9+/=]{40,64}|\b[0-9a-f]{32,}\b/g,
  },
  { category: 'serial', pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g },
  { category: 'address', pattern: /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/g },
  {
    category: 'address',
    pattern: /(?<![0-9a-z:.])(?=[0-9a-f]{0,4}:[0-9a-f]{0,4}:)[0-9a-f:.]{2,45}(?:%\w{1,16})?/g,
    except: (text) => isIP(text.split('%', 1)[0]!.replace(/[.:]$/, '')) !== 6 && isIP(text) !== 6,
  },
  {
    category: 'address',
    pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g,
    except: (text) => isIP(text) !== 4,
  },
  { category: 'path', pattern: /\b[a-z]:\\[^\s"]{1,1000}/g },
  {
    category: 'path',
    pattern: /(?<![\w.:/\]])\/(?:[\w.@+-]{1,255}\/){1,32}[\w.@+:-]{0,255}/g,
    // API paths of Proxmox, and devices
    except: (text) =>
      /^\/(?:nodes|cluster|access|storage|version|api2?|vms|pools|datastore|system|remote)\b/.test(text) ||
      /^\/dev\/(?:sd[a-z]+|vd[a-z]+|nvme\d+(?:n\d+)?)$/.test(text),
  },
  {
    category: 'address',
    // internal domains end in any word (`pve1.dc2`), and a name can continue after it (`pve1.lan-backup`)
    pattern: /(?<![\w.-])(?:[a-z0-9_-]{1,63}\.){1,40}[a-z][a-z0-9]{1,62}(?![a-z0-9])/g,
    except: (text) => privilege.test(text),
  },
]

export interface Piece {
  text: string
  /** absent for text between matches */
  category?: Category
}

/** The matches of a text, and the parts between them. */
export function piecesOf(text: string): Piece[] {
  return patterns.reduce<Piece[]>(
    (pieces, pattern) => pieces.flatMap((piece) => (piece.category ? [piece] : split(piece.text, pattern))),
    [{ text }],
  )
}

function split(text: string, { category, pattern, except }: Pattern): Piece[] {
  // ASCII only: other letters can change length, which would shift offsets.
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of lower.matchAll(pattern)) {
    if (except?.(found)) continue
    if (index > from) pieces.push({ text: text.slice(from, index) })
    from = index + found.length
    pieces.push({ text: text.slice(index, from), category })
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
