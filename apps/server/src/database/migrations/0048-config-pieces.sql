-- The texts of the pieces of configurations: versions of a unit share those that are equal.
create table unit_config_piece (
  unit_config_piece_unit uuid not null references unit (unit_id) on delete cascade,
  -- See config-body.ts.
  unit_config_piece_digest text not null,
  unit_config_piece_text text not null,
  primary key (unit_config_piece_unit, unit_config_piece_digest)
);

grant select, insert, update, delete on unit_config_piece to portcullis_system;

-- Versions of earlier releases without pieces become one piece.
update unit_config set unit_config_pieces = json_build_array(json_build_object(
    'section', 'head', 'at', 1, 'length', octet_length(unit_config_body) - 2,
    'digest', left(encode(sha256(substring(unit_config_body from 2 for octet_length(unit_config_body) - 2)), 'base64'), 22)))
 where unit_config_pieces is null;

insert into unit_config_piece
select unit_config_unit, digest, convert_from(substring(unit_config_body from start + 1 for length), 'utf8')
  from unit_config,
       jsonb_to_recordset(unit_config_pieces) as piece (digest text, "at" int, length int),
       lateral (select "at" as start) as named
    on conflict do nothing;

alter table unit_config
  alter column unit_config_pieces set not null,
  -- Of the whole text.
  add column unit_config_bytes int;
update unit_config set unit_config_bytes = octet_length(unit_config_body);
alter table unit_config
  alter column unit_config_bytes set not null,
  drop column unit_config_body;

-- The text of each configuration. The head has no name of its own in it.
create view unit_config_whole with (security_invoker = true) as
select unit_config_unit, unit_config_version, unit_config_bytes, (
  select '{' || string_agg(case section when 'head' then entries else '"' || section || '":{' || entries || '}' end,
                           ',' order by place) || '}'
    from (select section, min(place) as place, string_agg(unit_config_piece_text, ',' order by place) as entries
            from jsonb_array_elements(unit_config_pieces) with ordinality as listed (piece, place)
            join unit_config_piece on unit_config_piece_unit = unit_config_unit
             and unit_config_piece_digest = piece ->> 'digest',
                 lateral (select piece ->> 'section' as section) as named
           group by section) as sections) as unit_config_text
  from unit_config;

grant select on unit_config_whole to portcullis_system;
