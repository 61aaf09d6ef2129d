import { isObject, type JsonObject } from '../../presentation/token/segment.js';

/** Checks of every JSON object that is read. */
const form = ['P02', 'P09', 'P08', 'P10'];
const certificates = ['K01', 'K04', 'K05', 'K03', 'K08', 'K17', 'K07', 'K10', 'K18', 'K20', 'K06', 'K10'];
const list = [
  'L17',
  'L01',
  'L02',
  'L03',
  'L05',
  'L06',
  'L07',
  'L08',
  'L10',
  'L11',
  'L09',
  'L13',
  'L15',
  'L18',
];
const times = ['C05', 'C12', 'C04', 'C06', 'C07'];
const status = ['T05', 'T18', 'T06', 'T07', 'T08', 'T20', 'T09', 'T10', 'T11', 'T12', 'T14', 'T15'];

/** The checks that need no trust, in the order of lib/presentation/sd-jwt/check.ts. */
const sdJwt = [
  ['P01', 'P12', 'P07', 'P03', 'P05', 'P06', 'P04'],
  [form, 'H01', 'H03', 'H04'],
  [form, 'S02', 'S03'],
  [form, 'S16', 'S05', 'S06', 'S07', 'S08'],
  ['P08', 'S04', 'S13', 'S10', 'S11', 'S15', 'S14', 'S09', 'S12', 'S25', 'S17'],
  [times, 'S24', 'C10', 'B01', 'B02'],
  [form, 'B04', 'B03', 'H04', form],
  ['B07', 'B08', 'B09', 'B10', 'B11', 'B13', 'B14', 'B17', 'C11', 'K17', 'B04', 'C16'],
].flat(2);

/** The checks of an entry that apply to these claims, in the order in which they are made. */
export function orderOf(entry: JsonObject | undefined, claims: JsonObject): readonly string[] {
  if (entry === undefined) return sdJwt;
  const keys = [keysOf(entry), 'H02', 'K02'];
  if (entry['format'] === 'jwt') {
    return [
      ['P01', 'P12', 'P07', 'P06', form, 'H01', 'J05', 'H04', form],
      [times, 'J02', 'J07', 'S24', 'J03', 'J04', 'J06', 'T03'],
      keys,
    ].flat(3);
  }
  const issuer = entry['iss'] === undefined ? [] : ['C09'];
  const age = isLimited(entry) ? ['C08'] : [];
  return [sdJwt, keys, ['C11', 'B06', 'C01', 'C02'], issuer, age, statusOf(entry, claims)].flat(3);
}

function keysOf({ keys }: JsonObject): readonly string[] {
  const { jwksUri, x5c } = isObject(keys) ? keys : {};
  if (isObject(x5c)) return ['K15', x5c['lote'] === undefined ? [] : list, certificates].flat();
  return jwksUri === undefined ? ['K15', 'K12'] : ['K14', 'K15', 'K12'];
}

function isLimited({ profile, requireExpiry, maxCredentialAge }: JsonObject): boolean {
  return profile === 'haip-1.0' || requireExpiry === true || maxCredentialAge !== undefined;
}

function statusOf({ status: rules }: JsonObject, claims: JsonObject): readonly string[] {
  const { mode } = isObject(rules) ? rules : { mode: undefined };
  if (mode === 'dangerouslyIgnore') return [];
  return claims['status'] === undefined ? ['T02'] : ['T02', 'T03', 'T04', 'K14', status].flat();
}
