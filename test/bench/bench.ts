// `npm run bench -- <name>`: runs one bench, which is given what follows its name. README.md holds the figures.

const NAMES = ['cold-start', 'warm', 'search', 'callbacks', 'due', 'savers', 'media', 'lives', 'soak']

const [name = ''] = process.argv.splice(2, 1)
if (!NAMES.includes(name)) {
  console.error(`Say which bench: ${NAMES.join(', ')}`)
  process.exit(1)
}
// `search changes` is the search while prices change.
const file = name === 'search' && process.argv[2] === 'changes' ? 'search-changes' : name
await import(`./${file}.ts`)
