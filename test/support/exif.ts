import { reversed, uint16, uint32 } from './bytes.ts'

/** What a camera writes beside a picture. Latitude and longitude are whole degrees, south and west negative. */
export type ExifFacts = {
  orientation?: number
  gps?: { latitude: number; longitude: number }
  thumbnail?: Buffer
  littleEndian?: boolean
  /** Bytes between the header and the first directory. */
  gap?: number
}

/** An EXIF block: a TIFF of up to three directories, without the mark that JPEG puts before it. */
export function exif({ orientation, gps, thumbnail, littleEndian = false, gap = 0 }: ExifFacts): Buffer {
  const short = (value: number) => (littleEndian ? reversed(uint16(value)) : uint16(value))
  const long = (value: number) => (littleEndian ? reversed(uint32(value)) : uint32(value))
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([short(tag), short(type), long(count), value, Buffer.alloc(4 - value.length)])
  const directory = (entries: Buffer[], next: number) =>
    Buffer.concat([short(entries.length), ...entries, long(next)])
  const size = (count: number) => 2 + 12 * count + 4

  const start = 8 + gap
  const first = (gpsAt: number) => [
    ...(orientation === undefined ? [] : [entry(0x0112, 3, 1, short(orientation))]),
    ...(gps ? [entry(0x8825, 4, 1, long(gpsAt))] : []),
  ]
  const gpsAt = start + size(first(0).length)
  const degreesAt = gpsAt + size(4)
  const afterGps = gps ? degreesAt + 48 : gpsAt
  const degrees = (value: number) => Buffer.concat([Math.abs(value), 1, 0, 1, 0, 1].map(long))

  return Buffer.concat([
    Buffer.from(littleEndian ? 'II' : 'MM'),
    short(42),
    long(start),
    Buffer.alloc(gap),
    directory(first(gpsAt), thumbnail ? afterGps : 0),
    ...(gps
      ? [
          directory(
            [
              entry(1, 2, 2, Buffer.from(gps.latitude < 0 ? 'S\0' : 'N\0')),
              entry(2, 5, 3, long(degreesAt)),
              entry(3, 2, 2, Buffer.from(gps.longitude < 0 ? 'W\0' : 'E\0')),
              entry(4, 5, 3, long(degreesAt + 24)),
            ],
            0,
          ),
          degrees(gps.latitude),
          degrees(gps.longitude),
        ]
      : []),
    ...(thumbnail
      ? [
          directory(
            [entry(0x0201, 4, 1, long(afterGps + size(2))), entry(0x0202, 4, 1, long(thumbnail.length))],
            0,
          ),
          thumbnail,
        ]
      : []),
  ])
}
