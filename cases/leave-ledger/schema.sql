create table leave (id integer primary key, person int, day int, hours int);
create table balance (person int primary key, hours int);
create trigger leave_booked after insert on leave begin
  insert or replace into balance
    select new.person, sum(hours) from leave where person = new.person;
end;
