-- The ledger of a mussel market: each delivery carries what its farm has delivered in the season so far.
create table deliveries (
    id integer primary key,
    farm integer not null,
    day integer not null,
    kilos integer not null,
    so_far integer
);
create index deliveries_of_a_farm on deliveries (farm, day);
create trigger deliveries_so_far after insert on deliveries
begin
    update deliveries
    set so_far = (select sum(d.kilos) from deliveries d where d.farm = new.farm and d.id <= new.id)
    where id = new.id;
end;
